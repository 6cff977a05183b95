import { loadBfclTasks } from '../bfcl/load-bfcl-tasks.js'
import { closestName } from './closest-name.js'
import type { TaskSelection } from './options.js'
import type { Task } from './task.js'
import { catalogue } from './tasks/catalogue.js'
import { UsageError } from './usage-error.js'

export interface SelectedTasks {
  readonly tasks: readonly Task[]
  readonly notes: readonly string[]
}

export function selectTasks({
  kinds,
  filters,
  cases,
  bfclDir,
  bfclLimit,
  seed,
}: TaskSelection): SelectedTasks {
  const bfcl =
    bfclDir === undefined
      ? { tasks: [], notes: [] }
      : loadBfclTasks(bfclDir, { limit: bfclLimit, seed })
  const all = [...catalogue, ...bfcl.tasks]
  checkCases(cases, all)
  const tasks = all.filter(
    ({ id, kind, category }) =>
      (cases.length === 0 || cases.includes(id)) &&
      (kinds.length === 0 || kinds.includes(kind)) &&
      (filters.length === 0 || filters.some(text => id.includes(text) || category.includes(text))),
  )
  if (tasks.length === 0)
    throw new UsageError('No task matches --kind, --filter and --cases. --list shows all tasks.')
  return { tasks, notes: bfcl.notes }
}

function checkCases(cases: readonly string[], tasks: readonly Task[]): void {
  const ids = tasks.map(({ id }) => id)
  const unknown = cases.find(name => !ids.includes(name))
  if (unknown === undefined) return
  throw new UsageError(
    `--cases: unknown task ${JSON.stringify(unknown)}. The closest one is ${closestName(unknown, ids)}; --list shows all tasks.`,
  )
}
