import type { Problem } from './events.js'
import type { ToolShapes } from './grammar.js'

type ForcedChoice = Pick<ToolShapes, 'isForced' | 'forcedToolName' | 'has' | 'names'>

/**
 * `{"name": "get_wether", …}` What is wrong with the name in the answer to a forced tool choice;
 * undefined if nothing is.
 */
export function checkForcedName(tools: ForcedChoice, written: string): Problem | undefined {
  const { forcedToolName, isForced } = tools
  const name = JSON.stringify(written)
  if (forcedToolName !== undefined) {
    if (written === forcedToolName) return undefined
    return {
      code: 'forced-name',
      message: `expected a call of ${JSON.stringify(forcedToolName)}, found one of ${name}`,
    }
  }
  const isKnown = tools.names().length === 0 || tools.has(written)
  if (!isForced || isKnown) return undefined
  return {
    code: 'unknown-tool',
    message: `a tool call was required, and ${name} is not one of the tools`,
  }
}
