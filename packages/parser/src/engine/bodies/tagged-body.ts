import type { CallGrammar, CallPort } from '../body.js'
import type { Cursor } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { isAtMark, readNextMark } from '../marks.js'
import { createRawMarks, type RawMarks, readRawText } from '../raw-text.js'
import { ANY_KIND, Kind } from '../shape.js'
import { Token } from '../value-token.js'
import { type Attempt, readEnd, readHead, type TagCall, type TagCallGrammar, tagCalls } from './tag-call.js'

/**
 * Calls in tags that hold the names of the tool and of its arguments, with each argument as raw text:
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

type TaggedReading = TaggedGrammar & { readonly marks: RawMarks }

export const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

function* readArguments(cursor: Cursor, port: CallPort, call: TagCall, grammar: TaggedReading): Attempt {
  const { argument, isSilentText, marks } = grammar
  const { shape, ends, opens } = call
  const argMarks = [argument.open, ...ends, ...opens]
  const given = new Set<string>()

  /** Whether a mark ends a value. Its close tag may be missing before an argument that the tool has, or before the end of the call. */
  const isEnd = (mark: string, behind: string): boolean | undefined => {
    const next = shape.propertyNames.filter(each => !given.has(each)).map(each => each + argument.keyEnd)
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
    const written = yield* readHead(cursor, argument.keyEnd)
    if (typeof written !== 'string') return written
    const key = written.trim()
    const hasHead = argument.headEnd !== undefined
    const next = hasHead ? yield* readNextMark(cursor, argMarks) : ''
    if (next) {
      cursor.at -= next.length
      port.report(malformed(`the argument ${JSON.stringify(key)} has no value`))
      continue
    }
    const attributes = hasHead ? yield* readHead(cursor, argument.headEnd) : ''
    if (typeof attributes !== 'string') return attributes
    if (isWhole() || given.has(key)) return malformed(`the argument ${JSON.stringify(key)} is given twice`)
    const isDeclared = shape.propertyNames.length === 0 || shape.propertyNames.includes(key)
    // Some models put all of the arguments into one.
    const isPlaced = given.size === 0 && wrapperKeys.has(key) && !isDeclared
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    const { kinds } = isPlaced ? shape : shape.property(key)
    const isSilent = kinds === ANY_KIND
    const isText = grammar.isText?.(attributes) ?? (isSilent && isSilentText)
    const found = yield* readRawText(cursor, {
      form: grammar,
      sink: put,
      kinds,
      isQuoted: isText && !isPlaced && (isSilent || (kinds & Kind.string) !== 0),
      marks,
      isEnd,
    })
    if (!found) return CUT
    put(Token.endText, '')
  }
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const { argument, call: callTags, section = callTags } = grammar
  const marks = createRawMarks(argument.close, [argument.open, callTags.close, section.close])
  const reading = { ...grammar, marks }
  return tagCalls(grammar, (cursor, port, call) => readArguments(cursor, port, call, reading))
}
