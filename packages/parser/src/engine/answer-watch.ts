import type { EngineEvent, ProblemEvent } from './events.js'
import type { ToolLookup } from './tool-lookup.js'
import { type FoundName, findName } from './unread-calls.js'

/** How much of the beginning and of the end of an answer is looked at. */
const HEAD_CHARS = 256
const TAIL_CHARS = 16

/** `{"tool_calls": [{"name": "get_weather"` An envelope of several calls. */
const envelopeStart = /^\s*(?:```\w*\s*)?\{\s*["']tool_calls?["']\s*:/
/** `{"name": "|get_weather|", "arguments": "Paris"}` What is around the name in an envelope of one call. */
const nameStart = /^\s*(?:```\w*\s*)?\[?\s*\{\s*["']name["']\s*:\s*["']$/
const argumentsStart = /^["']\s*,\s*["']arguments["']\s*:/
/** `["get_weather(city='Paris')"]` `get_weather(city='Paris')` What comes before the name. */
const callStart = /^\s*(?:```\w*\s*)?\[?\s*["'`]?$/
/** What either begins with. */
const answerStart = /^\s*(?:```\w*\s*)?(?:\[?\s*\{|\[?\s*["'`]?[\p{L}_][^\s(]*\()/u
/** `…}]}` and `…')"]`: how they end. */
const envelopeEnd = /\}\s*\]?(?:\s*```)?\s*$/
const callEnd = /\)["'`]?\s*\]?`?(?:\s*```)?\s*$/
/** `get_weather(city)| returns (in degrees)` */
const prose = /\)["'`]?\s*\p{L}/u

/**
 * Watches the events of an answer. One that is an envelope of calls, or the call of a declared tool as
 * code writes it, from end to end was meant as a call. If none was found in it, the application is
 * told (decision 76). A single object `{"name": "get_weather", "parameters": …}` may be a declaration.
 */
export function createAnswerWatch(lookup: ToolLookup) {
  let head = ''
  let tail = ''
  /** There was a call, a problem was reported, or the beginning is not that of a call. */
  let isKnown = false
  return {
    see(event: EngineEvent): void {
      if (isKnown) return
      if (event.type === 'text') {
        if (head.length < HEAD_CHARS) {
          head = (head + event.text).slice(0, HEAD_CHARS)
          // Most answers are prose, of which nothing more is kept.
          if (head.length === HEAD_CHARS) isKnown = !answerStart.test(head)
        }
        tail = (tail + event.text).slice(-TAIL_CHARS)
      } else if (event.type === 'call-start' || event.type === 'problem') isKnown = true
    },
    /** Returns what is to be reported at the end of the answer. */
    suspect(): ProblemEvent | undefined {
      if (isKnown) return undefined
      const name = findName(head, lookup)
      if (!name || !isCalled(head, tail, name)) return undefined
      const tool = JSON.stringify(lookup.find(name.written))
      const message = `the answer looks like a call of ${tool}, but cannot be read as one`
      return {
        type: 'problem',
        problem: { code: 'suspected-call', message },
        raw: head,
        offset: 0,
      }
    },
  }
}

function isCalled(head: string, tail: string, { at, written }: FoundName): boolean {
  if (envelopeStart.test(head)) return envelopeEnd.test(tail)
  const after = head.slice(at + written.length)
  if (nameStart.test(head.slice(0, at)) && argumentsStart.test(after)) return envelopeEnd.test(tail)
  const isCode = callStart.test(head.slice(0, at)) && after.startsWith('(')
  return isCode && callEnd.test(tail) && !prose.test(after)
}
