import { z } from 'zod'
import { defineTool } from '../define-tool.js'
import type { LiveTool } from '../task.js'

type Cell = string | number | boolean | null
type Row = Readonly<Record<string, Cell>>

export interface DataWorld {
  readonly savedQueries: Map<string, string>
  readonly tools: readonly LiveTool[]
}

const cell = z.union([z.string(), z.number(), z.boolean(), z.null()])
const condition = z.object({
  column: z.string(),
  operator: z.enum(['equals', 'not_equals', 'less_than', 'greater_than', 'contains']),
  value: cell.describe('A text, a number, true, false or null'),
})

/** A few tables, with a structured query, and a list of SQL statements that are not run here. */
export function createDataWorld(tables: Readonly<Record<string, readonly Row[]>>): DataWorld {
  const savedQueries = new Map<string, string>()
  const find = (table: string) => {
    const rows = Object.hasOwn(tables, table) ? tables[table] : undefined
    if (!rows)
      throw new Error(`There is no table ${table}. There are: ${Object.keys(tables).join(', ')}.`)
    return rows
  }
  const tools = [
    defineTool({
      name: 'query_table',
      description: 'Reads rows of a table that meet all conditions.',
      input: z.object({
        table: z.string(),
        conditions: z.array(condition).optional().describe('All must hold; none for all rows'),
        order_by: z
          .object({ column: z.string(), direction: z.enum(['ascending', 'descending']) })
          .optional(),
        limit: z.int().min(1).optional().describe('At most this many rows'),
      }),
      execute: ({ table, conditions = [], order_by, limit }) => {
        const rows = find(table).filter(row =>
          conditions.every(each => meets(row[each.column] ?? null, each)),
        )
        if (order_by) {
          const sign = order_by.direction === 'ascending' ? 1 : -1
          rows.sort(
            (a, b) => sign * compare(a[order_by.column] ?? null, b[order_by.column] ?? null),
          )
        }
        return { rows: rows.slice(0, limit) }
      },
    }),
    defineTool({
      name: 'save_query',
      description: 'Saves an SQL query under a name, for the reports of the night.',
      input: z.object({ name: z.string(), sql: z.string().describe('One SELECT statement') }),
      execute: ({ name, sql }) => {
        savedQueries.set(name, sql)
        return { saved: name, chars: sql.length }
      },
    }),
  ]
  return { savedQueries, tools }
}

function meets(found: Cell, { operator, value }: z.infer<typeof condition>): boolean {
  switch (operator) {
    case 'equals':
      return found === value
    case 'not_equals':
      return found !== value
    case 'less_than':
      return compare(found, value) < 0
    case 'greater_than':
      return compare(found, value) > 0
    case 'contains':
      return String(found).includes(String(value))
  }
}

function compare(left: Cell, right: Cell): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  return String(left).localeCompare(String(right), 'en')
}
