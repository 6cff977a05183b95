import type { CallGrammar, CallPort } from '../body.js'
import { isAtMark } from '../match-marks.js'
import type { OldBody as Body } from '../old-body.js'
import { createRawText, type RawText } from '../raw-text.js'
import { ANY_KIND, Kind } from '../shape.js'
import { unescaped } from '../unescaped.js'
import { Token, type ValueSink } from '../value-token.js'
import { createTagCall, type TagCallGrammar, type TagCallPlace, tagCalls } from './tag-call.js'

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

function createTaggedBody(port: CallPort, grammar: TaggedGrammar & TagCallPlace): Body {
  const { argument } = grammar
  const given = new Set<string>()
  let key = ''
  /** The arguments were given as one. */
  let isPlaced = false
  let text: RawText | undefined
  let putValue: ValueSink = () => {}
  const call = createTagCall(port, grammar, {
    begin() {
      given.clear()
      isPlaced = false
      return readArgs
    },
    close(put) {
      if (given.size === 0) put(Token.beginObject, '')
      if (!isPlaced) put(Token.endObject, '')
    },
    end(isCut) {
      if (!isCut && text?.end()) endValue()
      return isAt(readArgs) && call.isWholeSoFar()
    },
  })
  const { ends, opens, shape, commit, breakOff, readHead } = call
  const { readMark, readAgain, goTo, isAt } = call.markup
  const argMarks = [argument.open, ...ends, ...opens]

  /** A character between the arguments. */
  const readArgs = (char: string) => {
    const found = readMark(char, argMarks)
    if (found === undefined) return
    if (found === argument.open) {
      commit()
      goTo(readKey)
    } else if (found === '{' && given.size === 0) call.beginObject(found)
    else call.closeAt(found)
  }
  const readKey = (char: string) => {
    const written = readHead(char, argument.keyEnd)
    if (written === undefined) return
    key = written.trim()
    if (argument.headEnd === undefined) beginValue('')
    else goTo(readKeyHead)
  }
  /** A character between a key and its value, or in the tag of a key. */
  const readKeyHead = (char: string) => {
    const attributes = readHead(char, argument.headEnd ?? '')
    if (attributes !== undefined) return beginValue(attributes)
    const next = call.takeMark(argMarks)
    if (next === undefined) return
    port.report({ code: 'malformed-arguments', message: `the argument ${JSON.stringify(key)} has no value` })
    goTo(readArgs)
    readAgain(next)
  }
  const beginValue = (attributes: string) => {
    const { put } = commit()
    if (isPlaced || given.has(key)) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, '')
    const { propertyNames } = shape()
    const isDeclared = propertyNames.length === 0 || propertyNames.includes(key)
    // Some models put all of the arguments into one.
    isPlaced = given.size === 0 && wrapperKeys.has(key) && !isDeclared
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    const { kinds } = isPlaced ? shape() : shape().property(key)
    const isSilent = kinds === ANY_KIND
    const isText = grammar.isText?.(attributes) ?? (isSilent && grammar.isSilentText)
    const isQuoted = isText && !isPlaced && (isSilent || kinds & Kind.string)
    putValue = kinds & Kind.string && !isSilent ? put : unescaped(put)
    const isScalar = !(kinds & (Kind.string | Kind.object | Kind.array))
    text = createRawText({
      begin: isSection => put(isQuoted || isSection ? Token.beginQuoted : Token.beginRaw, ''),
      put: piece => putValue(Token.text, piece),
      close: argument.close,
      stops: [argument.open, ...ends],
      isVerbatim: !grammar.hasBlocks,
      maySection: grammar.hasSections === true,
      maxHeldChars: port.maxHeldChars,
      canFollow: behind => isScalar || isAtMark(behind, argMarks),
      canStop: (behind, stop) => isScalar || canStop(behind, stop),
    })
    goTo(text, afterText)
  }
  /** A close tag was forgotten: before an argument that the tool has, or before the end of the call. */
  const canStop = (behind: string, stop: string): boolean | undefined => {
    if (stop !== argument.open) return call.isOver(behind)
    const next = shape().propertyNames.filter(each => !given.has(each))
    return isAtMark(
      behind,
      next.map(each => each + argument.keyEnd),
    )
  }
  const endValue = () => {
    text = undefined
    putValue(Token.endText, '')
    goTo(readArgs)
  }
  const afterText = () => {
    const mark = text?.ended()
    if (text === undefined || mark === undefined) return
    readAgain(text.behind())
    if (mark !== argument.close) readAgain(mark)
    endValue()
  }

  return call.body()
}

/** Calls in tags, with raw text as arguments. */
export const taggedCalls = (grammar: TaggedGrammar): CallGrammar => tagCalls(grammar, createTaggedBody)
