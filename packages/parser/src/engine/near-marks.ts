import type { CallOutput, CallReader, Mark, ToolShapes } from './grammar.js'
import { markStrength } from './mark-strength.js'
import { readWithRepair } from './other-forms.js'
import { readOrRewind } from './read-or-rewind.js'
import { matchTagRest } from './tags/open-tag.js'
import type { Cursor } from './text/cursor.js'
import { peek, readMark } from './text/read-marks.js'
import type { Verdict } from './text/verdict.js'
import { findName, hasEnds, hasNameInHead, isElementShaped } from './unread-calls.js'

// Open tags that are spelt almost as in the format, with a declared tool after them (decision 82):
//
//     <tool_Call>{"name": "get_weather", …
//     <call>>get_weather city=Paris</call>
//     <tool_call id="1">{"name": "get_weather", …

/** Returns marks, and those that are spelt almost like them. */
export function withNearMarks(marks: readonly Mark[]): Mark[] {
  return marks.flatMap(mark => {
    if (!isNamelessTag(mark)) return [mark]
    const near = { ...mark, ends: undefined, notInInlineCode: true, notInCodeBlock: true }
    const anyCase: Mark = { ...near, isAnyCase: true, read: nearReader(mark) }
    if (!mark.text.endsWith('>')) return [mark, anyCase]
    const withAttributes: Mark = {
      ...near,
      text: `${mark.text.slice(0, -1)} `,
      isAnyCase: true,
      read: attributeReader(mark),
    }
    return [{ ...mark, read: doubledReader(mark) }, anyCase, withAttributes]
  })
}

/** True for a tag that all tools share: `<tool_call>`, `<function=`. */
const isNamelessTag = (mark: Mark) =>
  hasEnds(mark) &&
  mark.text.startsWith('<') &&
  markStrength(mark) === 'tag' &&
  mark.toolName === undefined

const nearReader = (mark: Mark): Mark['read'] =>
  function* read(cursor, output): CallReader {
    return yield* readNear(cursor, output, mark)
  }

/** `<tool_Call>|` Reads a call if a declared tool follows. */
function* readNear(cursor: Cursor, output: CallOutput, mark: Mark): CallReader {
  const look = (text: string) => startsCall(text, mark, output.tools)
  const isCall = yield* peek(cursor, look, 0, MAX_NAME_CHARS)
  if (isCall !== 'yes') return undefined
  return yield* readWithRepair(cursor, output, mark.read, 'other-mark')
}

/** `<call>|>get_weather` Reads a call. If there is none, a doubled `>` is passed over. */
const doubledReader = (mark: Mark): Mark['read'] =>
  function* read(cursor, output): CallReader {
    const unreadChars = yield* readOrRewind(cursor, output, mark)
    if (unreadChars !== 'rewound') return unreadChars
    if (!(yield* readMark(cursor, ['>']))) return undefined
    return yield* readNear(cursor, output, mark)
  }

/** `<tool_call |id="1">` Reads attributes, which mean nothing, and the call after them. */
const attributeReader = (mark: Mark): Mark['read'] =>
  function* read(cursor, output): CallReader {
    const tag = yield* peek(cursor, text => matchTagRest(` ${text}`))
    if (!tag || tag.length === 0) return undefined
    cursor.at += tag.length - 1
    const look = (text: string) => startsCall(text, mark, output.tools)
    if ((yield* peek(cursor, look, 0, MAX_NAME_CHARS)) !== 'yes') return undefined
    return yield* readWithRepair(cursor, output, mark.read, 'junk-in-tag')
  }

/** The name of the tool is looked for in so many characters. */
const MAX_NAME_CHARS = 128

/**
 * `|{"name": "get_weather"` `|get_weather city=` `|get_weather><parameter=` Tells whether a call of a
 * declared tool follows a mark.
 */
export function startsCall(
  after: string,
  mark: Pick<Mark, 'text'>,
  tools: Pick<ToolShapes, 'has' | 'lookup'>,
): Verdict {
  const isNamed = findName(after, tools.lookup) !== undefined
  if (hasNameInHead(mark)) {
    const isElement = isElementShaped(after)
    return isElement === 'yes' && !isNamed ? 'no' : isElement
  }
  const text = after.trimStart()
  if (text === '') return 'wait'
  if (/^[{[<]/.test(text)) return isNamed ? 'yes' : 'wait'
  const [word = ''] = /^[^\s(){}[\]<>=:,"']*/.exec(text) ?? []
  if (word.length < text.length) return tools.has(word) ? 'yes' : 'no'
  return tools.lookup.mayBegin(word) ? 'wait' : 'no'
}
