import { loadBfclTasks } from '../bfcl/load-bfcl-tasks.js'
import type { TaskSelection } from './options.js'
import type { Task } from './task.js'
import { catalogue } from './tasks/catalogue.js'
import { UsageError } from './usage-error.js'

export interface SelectedTasks {
  readonly tasks: readonly Task[]
  readonly notes: readonly string[]
}

export function selectTasks({ kinds, filters, bfclDir, bfclLimit, seed }: TaskSelection): SelectedTasks {
  const bfcl = bfclDir === undefined ? { tasks: [], notes: [] } : loadBfclTasks(bfclDir, { limit: bfclLimit, seed })
  const tasks = [...catalogue, ...bfcl.tasks].filter(
    ({ id, kind, category }) =>
      (kinds.length === 0 || kinds.includes(kind)) &&
      (filters.length === 0 || filters.some(text => id.includes(text) || category.includes(text))),
  )
  if (tasks.length === 0) throw new UsageError('No task fits --kind and --filter. --list shows them all.')
  return { tasks, notes: bfcl.notes }
}
