import type { Problem } from './events.js'
import type { ToolShapes } from './grammar.js'

type ForcedChoice = Pick<ToolShapes, 'isForced' | 'forcedToolName' | 'lookup'>

/** The tool that a call with a name calls: the forced one, a declared one, or else as it was written. */
export function calledToolName(
  { forcedToolName, lookup }: Pick<ToolShapes, 'forcedToolName' | 'lookup'>,
  written: string,
): string {
  return forcedToolName ?? lookup.findCalled(written) ?? written
}

/**
 * `{"name": "get_wether", …}` What is wrong with the name in the answer to a forced tool choice;
 * undefined if nothing is.
 */
export function checkForcedName(tools: ForcedChoice, written: string): Problem | undefined {
  const { forcedToolName, isForced, lookup } = tools
  const name = JSON.stringify(written)
  if (forcedToolName !== undefined) {
    if (written === forcedToolName || lookup.findCalled(written) === forcedToolName)
      return undefined
    return {
      code: 'forced-name',
      message: `expected a call of ${JSON.stringify(forcedToolName)}, found one of ${name}`,
    }
  }
  const isKnown = lookup.names.length === 0 || lookup.findCalled(written) !== undefined
  if (!isForced || isKnown) return undefined
  return {
    code: 'unknown-tool',
    message: `a tool call was required, and ${name} is not one of the tools`,
  }
}
