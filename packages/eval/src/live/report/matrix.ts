import type { Summary, TaskRow } from '../summary.js'
import { type Html, html } from './html.js'

/** More rows than this are shown by category. */
const maxRows = 80

/** Tasks down, the rows of the summary across. */
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
      const name = total === 0 ? '' : passed === total ? 'all' : passed ? 'some' : 'none'
      return html`<td class="${name}">${total ? `${passed}/${total}` : '·'}</td>`
    },
  )}<td class="soft">${category}</td></tr>`
}

/** Thousands of questions are nothing to look at one by one. */
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
