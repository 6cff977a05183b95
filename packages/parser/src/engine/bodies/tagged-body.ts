import type { CallGrammar, CallPort } from '../body.js'
import type { Cursor } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { isAtMark, readNextMark } from '../marks.js'
import { type RawMarks, readRawText } from '../raw-text.js'
import { ANY_KIND, Kind } from '../shape.js'
import { putText, Token } from '../value-token.js'
import {
  type Attempt,
  isCallHead,
  readEnd,
  readHead,
  type TagCall,
  type TagCallGrammar,
  tagCalls,
} from './tag-call.js'

/**
 * Calls in tags that hold the names of the tool and of its arguments, with each argument as raw
 * text:
 *
 *     <tool_call>
 *     <function=write_file>
 *     <parameter=path>
 *     a.ts
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export interface TaggedGrammar extends TagCallGrammar {
  readonly argument: {
    readonly open: string
    readonly keyEnd: string
    readonly headEnd?: string
    readonly close: string
  }
  /** What the attributes of an argument's tag say of it: text, JSON, or nothing. */
  readonly isText?: ((attributes: string) => boolean | undefined) | undefined
  /** An argument of which the schema says nothing is text, whatever it looks like. */
  readonly isSilentText?: boolean | undefined
}

/** The marks of a value, and the tag of its own that opens it. */
type TaggedReading = TaggedGrammar & {
  readonly marks: RawMarks
  readonly valueTag: string | undefined
}

/**
 * A tag that closes an argument or a call in some other format, or is not whole, or lacks its
 * slash.
 */
const wrongClose = /<\/?[^\s<>]*(?:param|arg|invoke|function|call)[^\s<>]*>?\s*$/
const MAX_CLOSE_CHARS = 128

const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

function* readArguments(
  cursor: Cursor,
  port: CallPort,
  call: TagCall,
  grammar: TaggedReading,
): Attempt {
  const { argument, isSilentText, marks, valueTag } = grammar
  const { keyEnd, headEnd } = argument
  const { shape, ends, opens } = call
  const argMarks = [argument.open, ...ends, ...opens]
  const given = new Set<string>()

  /**
   * Whether a mark ends a value. Its close tag may be missing before an argument that the tool has,
   * or before the end of the call.
   */
  const isEnd = (mark: string, behind: string): boolean | undefined => {
    const next = shape.propertyNames.filter(each => !given.has(each)).map(each => each + keyEnd)
    if (mark === argument.open) return isAtMark(behind, next)
    return isAtMark(behind, mark === argument.close ? argMarks : [...ends.slice(1), ...opens])
  }

  for (;;) {
    const mark = yield* readNextMark(cursor, argMarks)
    if (mark !== argument.open) {
      cursor.at -= mark.length
      return yield* readEnd(cursor, call, given.size === 0, [argument.open])
    }
    const { put, isWhole } = call.commit()
    const written = yield* readHead(cursor, keyEnd)
    if (typeof written !== 'string') return written
    const key = written.trim()
    const next = headEnd === undefined ? '' : yield* readNextMark(cursor, argMarks)
    if (next) {
      cursor.at -= next.length
      port.report(malformed(`the argument ${JSON.stringify(key)} has no value`))
      continue
    }
    const attributes = headEnd === undefined || valueTag ? '' : yield* readHead(cursor, headEnd)
    if (typeof attributes !== 'string') return attributes
    // Models close a key twice or forget the value's tag, and some servers write the line break
    // before that as two characters.
    if (valueTag) yield* readNextMark(cursor, [keyEnd])
    if (valueTag) yield* readNextMark(cursor, [valueTag, `\\n${valueTag}`])
    if (isWhole() || given.has(key))
      return malformed(`the argument ${JSON.stringify(key)} is given twice`)
    const isDeclared = shape.propertyNames.length === 0 || shape.propertyNames.includes(key)
    // Some models put all of the arguments into one.
    const isPlaced = given.size === 0 && wrapperKeys.has(key) && !isDeclared
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    if (attributes.endsWith('/')) {
      putText(Token.beginRaw, '', put)
      continue
    }
    const { kinds } = isPlaced ? shape : shape.property(key)
    const isText = grammar.isText?.(attributes) ?? (kinds === ANY_KIND && isSilentText)
    const tag = valueTag ?? argument.open + written + keyEnd
    let tail = ''
    const found = yield* readRawText(cursor, {
      form: grammar,
      sink(token, text) {
        tail = (tail + text.slice(-MAX_CLOSE_CHARS)).slice(-MAX_CLOSE_CHARS)
        put(token, text)
      },
      kinds,
      isQuoted: isText && !isPlaced && (kinds & Kind.string) !== 0,
      marks,
      tag,
      isEnd,
      isCall: behind => isCallHead(grammar.call, behind, [argument.open, grammar.call.close]),
    })
    if (!found) return CUT
    const isWrong = () =>
      found === tag || wrongClose.test(tail) || tail.trimEnd().endsWith(`</${key}>`)
    if (found !== argument.close && isWrong())
      return malformed(`the argument ${JSON.stringify(key)} has a wrong end`)
    put(Token.endText, '')
  }
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const { argument, call, section = call, fillers = [] } = grammar
  const valueTag = argument.keyEnd.endsWith('>') ? argument.headEnd : undefined
  const callMarks = {
    ends: [call.close, section.close, ...fillers],
    opens: [call.open, section.open],
  }
  const marks = { close: argument.close, opens: [argument.open], call: callMarks, tag: valueTag }
  const reading = { ...grammar, marks, valueTag }
  return tagCalls(grammar, (cursor, port, each) => readArguments(cursor, port, each, reading))
}
