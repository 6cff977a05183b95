import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

/** Factors to the base unit of each quantity. */
const units = {
  meter: ['length', 1],
  kilometer: ['length', 1000],
  mile: ['length', 1609.344],
  foot: ['length', 0.3048],
  liter: ['volume', 1],
  us_gallon: ['volume', 3.785411784],
  kilogram: ['mass', 1],
  pound: ['mass', 0.45359237],
} as const
type Unit = keyof typeof units

/** Euros for one unit. */
const rates: Readonly<Record<string, number>> = { EUR: 1, USD: 0.8, CHF: 1.05, JPY: 0.00625 }

const isUnit = (name: string): name is Unit => Object.hasOwn(units, name)
const round = (value: number) => Math.round(value * 10_000) / 10_000

/** A world without state: the calls and the answer are checked. */
export function createConvertWorld(): { readonly tools: readonly LiveTool[] } {
  const unit = z.enum(Object.keys(units).filter(isUnit))
  const currency = z.enum(['EUR', 'USD', 'CHF', 'JPY'])
  const tools = [
    defineTool({
      name: 'convert_units',
      description: 'Converts lengths, volumes and masses. Rounds to four digits behind the point.',
      input: z.object({ value: z.number(), from: unit, to: unit }),
      execute: ({ value, from, to }) => {
        if (units[from][0] !== units[to][0])
          throw new Error(`${from} cannot be converted to ${to}.`)
        return { value: round((value * units[from][1]) / units[to][1]), unit: to }
      },
    }),
    defineTool({
      name: 'get_exchange_rate',
      description: 'Says how much of the second currency one unit of the first is worth today.',
      input: z.object({ from: currency, to: currency }),
      execute: ({ from, to }) => ({ from, to, rate: round((rates[from] ?? 1) / (rates[to] ?? 1)) }),
    }),
    defineTool({
      name: 'calculate',
      description:
        'Adds, subtracts, multiplies or divides two numbers. Rounds to four digits behind the point.',
      input: z.object({
        operation: z.enum(['add', 'subtract', 'multiply', 'divide']),
        left: z.number(),
        right: z.number(),
      }),
      execute: ({ operation, left, right }) => {
        if (operation === 'divide' && right === 0)
          throw new Error('Nothing can be divided by zero.')
        const results = {
          add: left + right,
          subtract: left - right,
          multiply: left * right,
          divide: left / right,
        }
        return { result: round(results[operation]) }
      },
    }),
  ]
  return { tools }
}
