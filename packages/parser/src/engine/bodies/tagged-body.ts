import type { CallGrammar } from '../body.js'
import type { Reading } from '../cursor.js'
import { readNextMark } from '../marks.js'
import { isAtMark } from '../match-marks.js'
import { readRawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { unescaped } from '../unescaped.js'
import { Token } from '../value-token.js'
import { CUT, malformed } from './markup.js'
import { readHead, type TagCallGrammar, tagCalls } from './tag-call.js'

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
  /** A line break behind an argument's open tag is markup, and then so is one before its close tag. */
  readonly hasBlocks?: boolean | undefined
  /** Text may stand in a CDATA section. */
  readonly hasSections?: boolean | undefined
  /** What the attributes of an argument's tag say of it: text, JSON, or nothing. */
  readonly isText?: ((attributes: string) => boolean | undefined) | undefined
  /** An argument of which the schema says nothing is text, whatever it looks like. */
  readonly isSilentText?: boolean | undefined
}

const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const { argument } = grammar
  return tagCalls(grammar, function* (cursor, port, call) {
    const { shape, ends, opens, commit } = call
    const argMarks = [argument.open, ...ends, ...opens]
    const given = new Set<string>()
    /** The arguments were given as one. */
    let isPlaced = false

    /** A close tag was forgotten: before an argument that the tool has, or before the end of the call. */
    const canStop = (behind: string, stop: string): boolean | undefined => {
      if (stop !== argument.open) return isAtMark(behind, [...ends.slice(1), ...opens])
      const next = shape.propertyNames.filter(each => !given.has(each))
      return isAtMark(
        behind,
        next.map(each => each + argument.keyEnd),
      )
    }
    /** Reads a value behind its tag. False if the text ended in it. */
    function* readValue(valueShape: Shape, isText: boolean | undefined): Reading<boolean> {
      const { put } = commit()
      const { kinds } = valueShape
      const isSilent = kinds === ANY_KIND
      const isQuoted = (isText ?? (isSilent && grammar.isSilentText)) && !isPlaced && (isSilent || kinds & Kind.string)
      const isScalar = !(kinds & (Kind.string | Kind.object | Kind.array))
      const putValue = kinds & Kind.string && !isSilent ? put : unescaped(put)
      const mark = yield* readRawText(cursor, {
        begin: isSection => put(isQuoted || isSection ? Token.beginQuoted : Token.beginRaw, ''),
        put: piece => putValue(Token.text, piece),
        close: argument.close,
        stops: [argument.open, ...ends],
        mayBlock: grammar.hasBlocks === true,
        maySection: grammar.hasSections === true,
        isEnd: (found, behind) =>
          isScalar || (found === argument.close ? isAtMark(behind, argMarks) : canStop(behind, found)),
      })
      if (mark !== argument.close) cursor.at -= mark.length
      if (mark) putValue(Token.endText, '')
      return mark !== ''
    }

    for (;;) {
      const mark = yield* readNextMark(cursor, argMarks)
      if (mark !== argument.open) {
        cursor.at -= mark.length
        break
      }
      const { put } = commit()
      const written = yield* readHead(cursor, argument.keyEnd)
      if (typeof written !== 'string') return written
      const key = written.trim()
      // Between a key and its value, or in the tag of a key.
      const next = argument.headEnd === undefined ? '' : yield* readNextMark(cursor, argMarks)
      cursor.at -= next.length
      if (next) {
        port.report(malformed(`the argument ${JSON.stringify(key)} has no value`))
        continue
      }
      const attributes = argument.headEnd === undefined ? '' : yield* readHead(cursor, argument.headEnd)
      if (typeof attributes !== 'string') return attributes
      if (isPlaced || given.has(key)) return malformed(`the argument ${JSON.stringify(key)} is given twice`)
      const isDeclared = shape.propertyNames.length === 0 || shape.propertyNames.includes(key)
      // Some models put all of the arguments into one.
      isPlaced = given.size === 0 && wrapperKeys.has(key) && !isDeclared
      if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
      given.add(key)
      if (!isPlaced) put(Token.key, key)
      if (!(yield* readValue(isPlaced ? shape : shape.property(key), grammar.isText?.(attributes)))) return CUT
    }
    if (given.size === 0 && cursor.text.startsWith('{', cursor.at)) return yield* call.readObject()
    return yield* call.readEnd(
      put => {
        if (given.size === 0) put(Token.beginObject, '')
        if (!isPlaced) put(Token.endObject, '')
      },
      [argument.open],
    )
  })
}
