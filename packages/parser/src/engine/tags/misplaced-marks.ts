import { matchMarks } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import type { ArgumentTags } from './argument-notations.js'
import { withoutLeadingSpace } from './raw-text.js'

// Marks of GLM that are written in the place of another one (decision 82):
//
//     <tool_call>f<tool_call>city</arg_key><arg_value>Paris</arg_value></tool_call>
//     <tool_call>f<arg_key>city</arg_value><arg_value>Paris</arg_value></tool_call>
//     <tool_call>f<arg_key>city</arg_key><arg_key>Paris</arg_value></tool_call>

/** The marks of a format whose values have a tag of their own. */
export interface ValueTagMarks extends Pick<ArgumentTags, 'open' | 'keyEnd' | 'close'> {
  /** `<arg_value>` */
  readonly valueTag: string
  /** `<tool_call>` */
  readonly callOpen: string
}

/** `|<tool_call>city</arg_key>` Tells whether the mark of a call is in the place of `<arg_key>`. */
export function startsWithCallAsKey(
  text: string,
  { callOpen, keyEnd }: ValueTagMarks,
  names: readonly string[],
): Verdict {
  if (!text.startsWith(callOpen)) return callOpen.startsWith(text) ? 'wait' : 'no'
  const after = text.slice(callOpen.length).trimStart()
  const end = after.indexOf('<')
  const key = end < 0 ? after : after.slice(0, end)
  if (end < 0) return names.some(name => name.startsWith(key.trimEnd())) ? 'wait' : 'no'
  if (!names.includes(key.trimEnd())) return 'no'
  return matchMarks(after.slice(end), [keyEnd])
}

/** `|city</arg_value><arg_value>` Tells whether a key has the close mark of a value. */
export function endsWithValueClose(text: string, { close, valueTag }: ValueTagMarks): Verdict {
  const end = text.indexOf('<')
  if (end < 0) return 'wait'
  const isClose = matchMarks(text.slice(end), [close])
  if (isClose !== 'yes') return isClose
  return matchMarks(withoutLeadingSpace(text.slice(end + close.length)), [valueTag])
}

/**
 * `|<arg_key>Paris</arg_value>` Returns how many characters the mark has that is in the place of
 * `<arg_value>`; 0 without one. Its value must end with the close mark of a value. Attributes are
 * made up: `|<arg_value type="string">`.
 */
export function matchOtherValueTag(text: string, marks: ValueTagMarks): number | 'wait' {
  const { open, callOpen, valueTag, close } = marks
  const tag = matchWithAttributes(text, valueTag)
  if (tag !== 0) return tag
  const other = [open, callOpen].find(mark => text.startsWith(mark))
  if (other === undefined) return [open, callOpen].some(mark => mark.startsWith(text)) ? 'wait' : 0
  const after = text.slice(other.length)
  const end = after.indexOf('<')
  if (end < 0) return 'wait'
  const isClosed = matchMarks(after.slice(end), [close])
  if (isClosed === 'wait') return 'wait'
  return isClosed === 'yes' ? other.length : 0
}

/** `|<arg_value type="string">` The length of a tag with attributes; 0 if it is another text. */
export function matchWithAttributes(text: string, tag: string): number | 'wait' {
  const start = `${tag.slice(0, -1)} `
  if (!text.startsWith(start)) return start.startsWith(text) ? 'wait' : 0
  const [found] =
    /^\s*(?:[\w:-]+\s*=\s*(?:"[^"]*"|'[^']*')\s*)+>/.exec(text.slice(start.length)) ?? []
  if (found !== undefined) return start.length + found.length
  return /[<>\n]/.test(text.slice(start.length)) ? 0 : 'wait'
}
