import type { LiveTool, Task } from '../task.js'
import { agentCalendarTasks } from './agent-calendar-tasks.js'
import { agentFigureTasks } from './agent-figure-tasks.js'
import { agentFileTasks } from './agent-file-tasks.js'
import { agentOfficeTasks } from './agent-office-tasks.js'
import { agentShopTasks } from './agent-shop-tasks.js'
import { singlePlainTasks } from './single-plain-tasks.js'
import { singleTextTasks } from './single-text-tasks.js'

/** All tasks of the benchmark itself. */
export const catalogue: readonly Task[] = [
  ...singlePlainTasks,
  ...singleTextTasks,
  ...agentFileTasks,
  ...agentCalendarTasks,
  ...agentOfficeTasks,
  ...agentShopTasks,
  ...agentFigureTasks,
]

/** Returns every tool of these tasks once. */
export function toolsOf(tasks: readonly Task[]): LiveTool[] {
  const tools = tasks.flatMap(task => task.open().tools)
  return [...new Map(tools.map(tool => [tool.name, tool])).values()]
}
