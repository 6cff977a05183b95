import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

export interface Transaction {
  readonly id: number
  readonly account: string
  readonly date: string
  readonly payee: string
  readonly amount_cents: number
}

export interface BankWorld {
  readonly balances: Map<string, number>
  readonly transfers: readonly Transfer[]
  readonly disputes: readonly Dispute[]
  readonly tools: readonly LiveTool[]
}

export interface BankData {
  /** Cents by account. */
  readonly balances: Readonly<Record<string, number>>
  readonly transactions?: readonly Transaction[]
}

interface Transfer {
  readonly from: string
  readonly to: string
  readonly amount_cents: number
  readonly memo: string
}

interface Dispute {
  readonly transaction_id: number
  readonly reason: string
}

/** The state that the tools read and change. */
interface Bank {
  readonly balances: Map<string, number>
  readonly transactions: readonly Transaction[]
  readonly transfers: Transfer[]
  readonly disputes: Dispute[]
}

const account = z.string().describe('The account number, with its leading zeros')

export function createBankWorld({ balances: initial, transactions = [] }: BankData): BankWorld {
  const balances = new Map(Object.entries(initial))
  const bank: Bank = { balances, transactions, transfers: [], disputes: [] }
  const { transfers, disputes } = bank
  return { balances, transfers, disputes, tools: [...accountTools(bank), ...paymentTools(bank)] }
}

function readBalance({ balances }: Bank, account: string): number {
  const balance = balances.get(account)
  if (balance === undefined) throw new Error(`There is no account ${account}.`)
  return balance
}

function accountTools(bank: Bank): LiveTool[] {
  const { balances, transfers } = bank
  return [
    defineTool({
      name: 'list_accounts',
      description: 'Lists the account numbers.',
      input: z.object({}),
      execute: () => ({ accounts: [...balances.keys()] }),
    }),
    defineTool({
      name: 'get_balance',
      description: 'Shows the balance of an account, in cents.',
      input: z.object({ account }),
      execute: ({ account }) => ({ account, balance_cents: readBalance(bank, account) }),
    }),
    defineTool({
      name: 'transfer',
      description: 'Moves money from one account to another. Fails if there is not enough.',
      input: z.object({
        from: account,
        to: account,
        amount_cents: z.int().min(1),
        memo: z.string().describe('Shown to both sides'),
      }),
      execute: ({ from, to, amount_cents, memo }) => {
        const left = readBalance(bank, from) - amount_cents
        const gained = readBalance(bank, to) + amount_cents
        if (left < 0) throw new Error(`Account ${from} has only ${readBalance(bank, from)} cents.`)
        balances.set(from, left)
        balances.set(to, gained)
        transfers.push({ from, to, amount_cents, memo })
        return { transfer_id: 9000 + transfers.length, balance_cents: left }
      },
    }),
  ]
}

function paymentTools(bank: Bank): LiveTool[] {
  const { transactions, disputes } = bank
  return [
    defineTool({
      name: 'list_transactions',
      description: 'Lists the payments of an account in a range of days, both included.',
      input: z.object({
        account,
        from_date: z.string().describe('YYYY-MM-DD'),
        to_date: z.string().describe('YYYY-MM-DD'),
      }),
      execute: ({ account, from_date, to_date }) => {
        readBalance(bank, account)
        return {
          transactions: transactions.filter(
            each => each.account === account && each.date >= from_date && each.date <= to_date,
          ),
        }
      },
    }),
    defineTool({
      name: 'dispute_transaction',
      description: 'Tells the bank that a payment is wrong.',
      input: z.object({
        transaction_id: z.int(),
        reason: z.enum(['duplicate', 'wrong_amount', 'not_mine', 'not_delivered']),
      }),
      execute: ({ transaction_id, reason }) => {
        if (!transactions.some(({ id }) => id === transaction_id))
          throw new Error(`There is no payment ${transaction_id}.`)
        disputes.push({ transaction_id, reason })
        return { transaction_id, accepted: true }
      },
    }),
  ]
}
