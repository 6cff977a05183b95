import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { ChunkReader } from '../reader.js'
import type { Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { createKeyTree, type KeyTree, pathOfKey, shapeAtPath } from './key-tree.js'
import { CUT, createMarkup } from './markup.js'
import { createPairLook } from './pair-look.js'
import { createPairValue, type PairValue } from './pair-value.js'

/**
 * Calls as a name and pairs, between tags or in a line of their own:
 *
 *     <call>get_weather city="New York" days=3</call>
 *     @get_weather city=New York days=3
 *
 * A value runs to the next key that the tool has. The pairs may also stand in parentheses, and a JSON object in their place.
 */
export interface PairGrammar {
  /** What opens and closes a call; without them a call is a line. */
  readonly marks: { readonly open: string; readonly close: string } | undefined
  /** The tool that the mark names. */
  readonly toolName: string | undefined
  readonly forcedToolName: string | undefined
}

const MAX_NAME_CHARS = 256

export function createPairBody(port: CallPort, { marks, toolName: markedName, forcedToolName }: PairGrammar): Body {
  const { maxHeldChars, putRaw, tools } = port
  let name = markedName ?? ''
  let shape = tools.shapeOf('')
  let isInParentheses = false
  const given = new Set<string>()
  let tree: KeyTree | undefined
  let value: PairValue | undefined
  /** The arguments are one JSON object. */
  let isObject = false

  const look = createPairLook({
    marks,
    isInParentheses: () => isInParentheses,
    maxHeldChars,
    isOpenKey: key => shape.propertyNames.includes(pathOfKey(shape, key)[0] ?? '') && !given.has(key),
  })
  const { writer, closeLast, finish, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: marks ? [marks.close] : [],
    // A line that cannot be read ends with its break, which is not the call's.
    opens: marks ? [marks.open] : ['\n'],
    onClose(problem) {
      const sink = commit().put
      if (problem || isObject) return
      if (given.size === 0) sink(Token.beginObject, '')
      tree?.replay(sink)
      sink(Token.endObject, '')
    },
  })
  const commit = () => markup.openCall(name)
  const breakOff = (message: string, unread: string) =>
    writer() ? markup.breakOff(message, unread) : finish('rejected')

  const readValueOf = (sink: ValueSink, at: Shape) => {
    const mayHaveKey = tree ? undefined : commit().mayHaveKey
    const closeMark = marks?.close
    value = createPairValue({
      sink,
      putRaw,
      closeMark,
      maxHeldChars,
      mayHaveKey,
      shape: at,
      look,
      isArguments: isObject,
    })
    goTo(readValue, afterValue)
  }
  const beginPair = () => {
    const key = look.key()
    const { put } = commit()
    const path = pathOfKey(shape, key)
    if (given.size === 0) put(Token.beginObject, '')
    if (path.length > 1) tree ??= createKeyTree()
    const isTaken = given.has(key) || (tree && given.has(path[0] ?? '') && path.length > 1)
    const sink = isTaken ? undefined : tree ? tree.at(path) : put
    if (!sink) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, look.text())
    if (!tree) put(Token.key, key)
    given.add(key)
    readValueOf(sink, shapeAtPath(shape, path))
  }
  /** `city=New| York`. What dotted keys hold is bounded, and where the bound is passed must not depend on where a chunk ends. */
  const readValue: ChunkReader = {
    feed(chunk, from, to) {
      if (tree) return from + (value?.feed(chunk.charAt(from), 0, 1) ?? 1)
      return value?.feed(chunk, from, to) ?? to
    },
  }
  const afterValue = () => {
    const found = value?.status()
    if (found === 'next') beginPair()
    else if (found === 'end') closeLast(value?.giveBack())
    else if (found === 'failed') breakValue()
    else if ((tree?.heldChars() ?? 0) > maxHeldChars)
      breakOff(`more than ${maxHeldChars} characters under dotted keys`, '')
  }
  const breakValue = () => value && breakOff(value.error(), value.unread())
  /** `<call>get_weather | city=…`, up to the first pair. */
  const readGap = (char: string) => {
    if (/[({]/.test(char) && /^[ \t\r\n]*$/.test(look.text()) && !(char === '(' && isInParentheses)) {
      isObject = char === '{'
      isInParentheses ||= char === '('
      const { put } = commit()
      if (!isObject) return look.begin(true, true)
      readValueOf(put, shape)
      return markup.readAgain(char)
    }
    look.feed(char, 0, 1)
    const follow = look.found()
    if (follow === 'next') beginPair()
    else if (follow === 'end') closeLast(look.unreadChars())
    else if (follow) breakOff('neither an argument nor the end of the call behind the name', look.text())
  }
  /** Space was read before the name. */
  let isSpaced = false
  const endName = () => {
    // `name: {…}`
    if (name.endsWith(':') && !tools.has(name)) name = name.slice(0, -1)
    shape = tools.shapeOf(forcedToolName ?? name)
    goTo(readGap)
    look.begin(true, true)
    // Between tags a tool's name is proof enough; at the beginning of a line it may be part of a sentence.
    if (marks && tools.has(name)) commit()
    else if (isSpaced) finish('rejected')
  }
  const readName = (char: string) => {
    if (!marks && !/[\s({]/.test(char)) return finish('rejected')
    if (name === '' && marks && /[{[]/.test(char)) {
      return markup.handOver(createJsonBody(port, { ends: [marks.close], opens: [marks.open], forcedToolName }), char)
    }
    if (name === '' && isSpace(char)) {
      isSpaced = true
      return
    }
    if (/[\s({<]/.test(char) && name) {
      markup.readAgain(char)
      return endName()
    }
    name += char
    if (name.length > MAX_NAME_CHARS || /[<>="']/.test(char)) finish('rejected')
  }

  return markup.bodyOf(readName, isCut => {
    if (isAt(readName) && !isCut && tools.has(name)) {
      endName()
      closeLast()
    } else if (isAt(readName)) finish('rejected')
    else if (value) {
      // Behind a value, and behind its line, more may have been to come; but not behind a whole object.
      const isWhole = value.end(isCut) && (isObject || !isCut)
      if (value.status() === 'failed') breakValue()
      else closeLast(value.giveBack(), isWhole ? undefined : CUT)
    } else {
      const isWhole = look.end() === 'end' && !isCut
      if (!writer() && !(isWhole && tools.has(forcedToolName ?? name))) finish('rejected')
      else if (isWhole) closeLast(look.unreadChars())
      else closeLast(0, CUT)
    }
  })
}

/** Calls between tags, as a name and pairs. */
export function pairCalls(open: string, close: string): CallGrammar {
  return ({ forcedToolName }) => [
    {
      text: open,
      createBody: port => createPairBody(port, { marks: { open, close }, toolName: undefined, forcedToolName }),
    },
  ]
}

/** Calls in lines of their own that begin with a sign and the tool's name. */
export function lineCalls(sign: string): CallGrammar {
  return ({ tools, forcedToolName }) =>
    tools.names().map(toolName => ({
      text: `${sign}${toolName}`,
      isAtLineStart: true,
      createBody: port => createPairBody(port, { marks: undefined, toolName, forcedToolName }),
    }))
}
