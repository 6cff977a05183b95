import { createHash } from 'node:crypto'
import { getProtocol } from '@toolglot/parser'
import { ablateTools } from './ablate-tools.js'
import type { RunConfig } from './options.js'
import type { Task } from './task.js'
import { declareTools } from './tool-set.js'

/** A short text that differs if the model would be shown something else for this task. */
export function fingerprintOf(task: Task, protocol: string, rep: number, config: RunConfig): string {
  const tools = declareTools(ablateTools(task.open().tools, config, task.id, rep))
  const manual = protocol === 'native' ? '' : getProtocol(protocol).formatTools({ tools })
  return createHash('sha256')
    .update(JSON.stringify([task.messages, tools, manual]))
    .digest('hex')
    .slice(0, 16)
}
