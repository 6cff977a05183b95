// The fence around an answer in JSON, and where it closes:
//
//     ```json
//     {"sky": "clear", "note": "a ``` in a string"}
//     ```

import type { Verdict } from '../engine/text/verdict.js'

/** A longer head of a fence, or a longer line of its close, is not one. */
const MAX_LINE_CHARS = 256

/** "```json\n|{" The head of a fence whose content is an object or a list. */
const fenceHead = /^(`{3,}|~{3,})[ \t]*(?:json)?\s*(?=[{[])/i
/** "```js" More text may make it one. */
const begunHead = /^(?:`+|~+)[ \t]*(?:j|js|jso|json|json\s+|\s+)?$/i

/** The head of a fence, or why there is none. */
export type FenceHead = { readonly fence: string; readonly length: number } | 'no' | 'wait'

/** "|```json\n{" Reads the head of a fence that contains JSON. Its label is `json`, or there is none. */
export function readFenceHead(text: string): FenceHead {
  const ahead = text.slice(0, MAX_LINE_CHARS)
  const [head = '', fence = ''] = fenceHead.exec(ahead) ?? []
  if (head) return { fence, length: head.length }
  return ahead.length < MAX_LINE_CHARS && begunHead.test(ahead) ? 'wait' : 'no'
}

/** The content of a fence as far as it was read. */
export interface FencedJson {
  /** "```" or a longer one. */
  readonly fence: string
  isInString: boolean
  /** `"a\|"` The next character of the string is escaped. */
  isEscaped: boolean
  /** Nothing but spaces precedes in the line. */
  isLineStart: boolean
}

export const createFencedJson = (fence: string): FencedJson => ({
  fence,
  isInString: false,
  isEscaped: false,
  isLineStart: false,
})

/**
 * Reads the content of a fence from a place in a text on. `at` is the place of its close, or where
 * reading must go on when there is more text.
 */
export function readFencedJson(
  json: FencedJson,
  text: string,
  from: number,
  isFinal: boolean,
): { readonly at: number; readonly isClosed: boolean } {
  for (let at = from; at < text.length; at++) {
    const verdict = matchClose(json, text, at, isFinal)
    if (verdict !== 'no') return { at, isClosed: verdict === 'yes' }
    advance(json, text.charAt(at))
  }
  return { at: text.length, isClosed: false }
}

/** Decides whether the fence closes at a place. */
function matchClose(json: FencedJson, text: string, at: number, isFinal: boolean): Verdict {
  const { fence, isInString, isLineStart } = json
  // `{"code": "|```js"}` A fence in a string, unless a line begins there: JSON has no such string.
  if (text.charAt(at) !== fence.charAt(0) || (isInString && !isLineStart)) return 'no'
  const ahead = text.slice(at, at + MAX_LINE_CHARS)
  if (!ahead.startsWith(fence)) return !isFinal && fence.startsWith(ahead) ? 'wait' : 'no'
  // "{"sky": "clear"}\n|```"
  if (!isInString) return 'yes'
  // "{"sky": "clear}\n|```\n" A quote is missing, but nothing else is in the line.
  const rest = ahead.slice(fence.length)
  if (/^[ \t\r]*\n/.test(rest)) return 'yes'
  if (/[^ \t\r]/.test(rest) || ahead.length === MAX_LINE_CHARS) return 'no'
  return isFinal ? 'yes' : 'wait'
}

function advance(json: FencedJson, char: string): void {
  if (json.isEscaped) json.isEscaped = false
  else if (char === '\\') json.isEscaped = json.isInString
  else if (char === '"') json.isInString = !json.isInString
  json.isLineStart = char === '\n' || (json.isLineStart && /[ \t]/.test(char))
}
