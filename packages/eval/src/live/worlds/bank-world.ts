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
  readonly transfers: readonly {
    readonly from: string
    readonly to: string
    readonly amount_cents: number
    readonly memo: string
  }[]
  readonly disputes: readonly { readonly transaction_id: number; readonly reason: string }[]
  readonly tools: readonly LiveTool[]
}

export interface BankData {
  /** Cents by account. */
  readonly balances: Readonly<Record<string, number>>
  readonly transactions?: readonly Transaction[]
}

export function createBankWorld({ balances: initial, transactions = [] }: BankData): BankWorld {
  const balances = new Map(Object.entries(initial))
  const transfers: { from: string; to: string; amount_cents: number; memo: string }[] = []
  const disputes: { transaction_id: number; reason: string }[] = []
  const read = (account: string) => {
    const balance = balances.get(account)
    if (balance === undefined) throw new Error(`There is no account ${account}.`)
    return balance
  }
  const account = z.string().describe('The account number, with its leading zeros')
  const tools = [
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
      execute: ({ account }) => ({ account, balance_cents: read(account) }),
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
        const left = read(from) - amount_cents
        const gained = read(to) + amount_cents
        if (left < 0) throw new Error(`Account ${from} has only ${read(from)} cents.`)
        balances.set(from, left)
        balances.set(to, gained)
        transfers.push({ from, to, amount_cents, memo })
        return { transfer_id: 9000 + transfers.length, balance_cents: left }
      },
    }),
    defineTool({
      name: 'list_transactions',
      description: 'Lists the payments of an account in a range of days, both included.',
      input: z.object({
        account,
        from_date: z.string().describe('YYYY-MM-DD'),
        to_date: z.string().describe('YYYY-MM-DD'),
      }),
      execute: ({ account, from_date, to_date }) => {
        read(account)
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
  return { balances, transfers, disputes, tools }
}
