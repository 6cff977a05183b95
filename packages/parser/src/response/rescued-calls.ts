import { isRecord } from '../is-record.js'
import type { CreateScanner, RequestContext } from '../options/parser-options.js'
import type { Part } from '../sdk/parts.js'
import type { FoundCall } from './part-output.js'
import { toContent } from './text-block.js'
import { createToolCallId } from './tool-call-id.js'

/**
 * Keeps calls until the end of the answer: calls found in text, if the provider has the tools too,
 * and calls found in the provider's reasoning.
 */
export function createRescuedCalls() {
  const inText: FoundCall[] = []
  const inReasoning: FoundCall[] = []
  return {
    addFromText: (call: FoundCall) => inText.push(call),
    addFromReasoning: (call: FoundCall) => inReasoning.push(call),
    /**
     * Returns the calls that must be emitted. Calls that the provider made itself are left out.
     * Calls in reasoning count only if the answer contains neither text nor calls.
     */
    take(made: readonly Part[], hasAnswer: boolean): FoundCall[] {
      const counts = hasAnswer || inText.length > 0 ? inText : inReasoning
      const waiting = counts.splice(0)
      if (waiting.length === 0) return waiting
      const known = new Set(made.map(identityOf))
      return waiting.filter(({ call }) => !known.has(identityOf(call)))
    },
  }
}

/** Reads the provider's reasoning for calls. Only one that can be read without a problem counts. */
export function createReasoningReader(
  createScanner: CreateScanner,
  { tools, options = {} }: RequestContext,
  onCall: (call: FoundCall) => void,
) {
  const reading = { toolChoice: undefined, startWithReasoning: false, callsInReasoning: true }
  return createScanner({
    tools,
    options: { ...options, ...reading },
    emit(event) {
      if (event.type !== 'call-end' || event.problem) return
      if (!tools.some(tool => tool.name === event.toolName)) return
      onCall({ call: toContent(event, createToolCallId()), repairs: event.repairs })
    },
  })
}

/** `"…"` or a number of more digits than JavaScript keeps. Strings are found so as to skip them. */
const longNumbers = /"(?:[^"\\]|\\.)*"|-?\d[\d.]{15,}(?:e[+-]?\d+)?/gi

const asString = (token: string) => (token.startsWith('"') ? token : JSON.stringify(token))

/** Returns the same text for calls of one tool with the same arguments, in any order of keys. */
function identityOf({ toolName, input }: Part): string {
  // Some providers send nothing if there are no arguments.
  const json = String(input).trim() || '{}'
  try {
    const value: unknown = JSON.parse(json.replace(longNumbers, asString))
    return `${toolName} ${JSON.stringify(value, sortKeys)}`
  } catch {
    // It is not JSON, or nested too deeply.
    return `${toolName} ${json}`
  }
}

function sortKeys(_key: string, value: unknown): unknown {
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
