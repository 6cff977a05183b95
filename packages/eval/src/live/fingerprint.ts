import { createHash } from 'node:crypto'
import { type FunctionTool, getProtocol } from '@toolglot/parser'
import { ablateTools } from './ablate-tools.js'
import { protocolOf, type Variant } from './ablations.js'
import type { RunConfig } from './options.js'
import type { Task } from './task.js'
import { declareTools } from './tool-set.js'

/** Returns a hash of everything that the model gets for this task. */
export function fingerprintOf(
  task: Task,
  variant: Variant,
  rep: number,
  config: RunConfig,
): string {
  const tools = declareTools(ablateTools(task.open().tools, config, task.id, rep))
  const manual = variant.protocol === 'native' ? '' : writeManual(variant, tools)
  return createHash('sha256')
    .update(JSON.stringify([task.messages, tools, manual]))
    .digest('hex')
    .slice(0, 16)
}

function writeManual(variant: Variant, tools: readonly FunctionTool[]): string {
  const protocol = protocolOf(variant)
  return (typeof protocol === 'string' ? getProtocol(protocol) : protocol).formatTools({ tools })
}
