import { CUT, malformed } from '../events.js'
import type { CallGrammar, CallOutput } from '../grammar.js'
import type { Cursor } from '../text/cursor.js'
import { matchMarks, readNextMark } from '../text/read-marks.js'
import type { Verdict } from '../text/verdict.js'
import { ANY_TYPE, JsonType } from '../values/shape.js'
import { putText, Token } from '../values/tokens.js'
import {
  type FallibleReading,
  isCallHead,
  readEnd,
  readHead,
  type TagCall,
  type TagCallGrammar,
  tagCalls,
} from './calls-in-tags.js'
import { type RawMarks, readRawText } from './raw-text.js'

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
  readonly untypedIsText?: boolean | undefined
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

const argumentWrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

function* readParameterTags(
  cursor: Cursor,
  output: CallOutput,
  call: TagCall,
  grammar: TaggedReading,
): FallibleReading {
  const { argument, untypedIsText, marks, valueTag } = grammar
  const { keyEnd, headEnd } = argument
  const { shape, ends, opens } = call
  const argMarks = [argument.open, ...ends, ...opens]
  const seenKeys = new Set<string>()

  /**
   * Whether a mark ends a value. Its close tag may be missing before an argument that the tool has,
   * or before the end of the call.
   */
  const isEnd = (mark: string, after: string): Verdict => {
    const next = shape.propertyNames.filter(each => !seenKeys.has(each)).map(each => each + keyEnd)
    if (mark === argument.open) return matchMarks(after, next)
    return matchMarks(after, mark === argument.close ? argMarks : [...ends.slice(1), ...opens])
  }

  for (;;) {
    const mark = yield* readNextMark(cursor, argMarks)
    if (mark !== argument.open) {
      cursor.at -= mark.length
      return yield* readEnd(cursor, call, seenKeys.size === 0, [argument.open])
    }
    const { put, isComplete } = call.commit()
    const written = yield* readHead(cursor, keyEnd)
    if (typeof written !== 'string') return written
    const key = written.trim()
    const next = headEnd === undefined ? '' : yield* readNextMark(cursor, argMarks)
    if (next) {
      cursor.at -= next.length
      output.report(malformed(`the argument ${JSON.stringify(key)} has no value`))
      continue
    }
    const attributes = headEnd === undefined || valueTag ? '' : yield* readHead(cursor, headEnd)
    if (typeof attributes !== 'string') return attributes
    // Models close a key twice or forget the value's tag, and some servers write the line break
    // before that as two characters.
    if (valueTag) yield* readNextMark(cursor, [keyEnd])
    if (valueTag) yield* readNextMark(cursor, [valueTag, `\\n${valueTag}`])
    if (isComplete() || seenKeys.has(key))
      return malformed(`the argument ${JSON.stringify(key)} is given twice`)
    const isDeclared = shape.propertyNames.length === 0 || shape.propertyNames.includes(key)
    // Some models put all of the arguments into one.
    const wrapsAllArguments = seenKeys.size === 0 && argumentWrapperKeys.has(key) && !isDeclared
    if (seenKeys.size === 0 && !wrapsAllArguments) put(Token.beginObject, '')
    seenKeys.add(key)
    if (!wrapsAllArguments) put(Token.key, key)
    if (attributes.endsWith('/')) {
      putText(Token.beginUntyped, '', put)
      continue
    }
    const { types } = wrapsAllArguments ? shape : shape.property(key)
    const isText = grammar.isText?.(attributes) ?? (types === ANY_TYPE && untypedIsText)
    const tag = valueTag ?? argument.open + written + keyEnd
    let tail = ''
    const found = yield* readRawText(cursor, {
      form: grammar,
      sink(token, text) {
        tail = (tail + text.slice(-MAX_CLOSE_CHARS)).slice(-MAX_CLOSE_CHARS)
        put(token, text)
      },
      types,
      isQuoted: isText && !wrapsAllArguments && (types & JsonType.string) !== 0,
      marks,
      tag,
      isEnd,
      isCall: after => isCallHead(grammar.call, after, [argument.open, grammar.call.close]),
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
  const { argument, call, section = call, ignoredInSection = [] } = grammar
  const valueTag = argument.keyEnd.endsWith('>') ? argument.headEnd : undefined
  const callMarks = {
    ends: [call.close, section.close, ...ignoredInSection],
    opens: [call.open, section.open],
  }
  const marks = { close: argument.close, opens: [argument.open], call: callMarks, tag: valueTag }
  const reading = { ...grammar, marks, valueTag }
  return tagCalls(grammar, (cursor, output, each) =>
    readParameterTags(cursor, output, each, reading),
  )
}
