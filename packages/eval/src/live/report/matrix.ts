import type { Summary, TaskRow } from '../summary.js'
import { type Html, html } from './html.js'

/** The most tasks that are shown one by one; more are shown by category. */
const maxRows = 80

/** Renders a table with a line per task and a column per row of the summary. */
export function renderMatrix({ tasks, rows: columns }: Summary): Html {
  const kinds = [...new Set(tasks.map(({ kind }) => kind))]
  return html`<table class="matrix"><thead><tr><th>task</th>${columns.map(({ label }) => html`<th>${label}</th>`)}<th>about</th></tr></thead><tbody>${kinds.map(
    kind => {
      const rows = tasks.filter(task => task.kind === kind)
      return html`<tr class="kind"><th scope="row">${kind}</th><td colspan="${columns.length + 1}"></td></tr>${condense(rows).map(renderRow)}`
    },
  )}</tbody></table>`
}

function renderRow({ task, kind, category, cells }: TaskRow): Html {
  return html`<tr><th scope="row">${task.replace(`${kind}/`, '')}</th>${cells.map(
    ({ passed, total }) => {
      return html`<td class="${cellClass(passed, total)}">${total ? `${passed}/${total}` : '·'}</td>`
    },
  )}<td class="soft">${category}</td></tr>`
}

function cellClass(passed: number, total: number): string {
  if (total === 0) return ''
  if (passed === total) return 'all'
  return passed ? 'some' : 'none'
}

/** Combines the tasks of a category if there are too many. */
function condense(rows: readonly TaskRow[]): TaskRow[] {
  if (rows.length <= maxRows) return [...rows]
  const groups = new Map<string, TaskRow[]>()
  for (const row of rows) groups.set(row.category, [...(groups.get(row.category) ?? []), row])
  return [...groups].flatMap(([category, group]) => {
    const [first] = group
    if (!first) return []
    const cells = first.cells.map(({ label }, i) => ({
      label,
      passed: group.reduce((sum, { cells }) => sum + (cells[i]?.passed ?? 0), 0),
      total: group.reduce((sum, { cells }) => sum + (cells[i]?.total ?? 0), 0),
    }))
    return [{ task: category, kind: first.kind, category: `${group.length} tasks`, cells }]
  })
}
