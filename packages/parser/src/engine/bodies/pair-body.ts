import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { ChunkReader } from '../reader.js'
import { Token } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { createKeyTree, type KeyTree, pathOfKey, shapeAtPath } from './key-tree.js'
import { CUT, createMarkup } from './markup.js'
import { createJsonContent, type ValueContent } from './value-content.js'
import { createPairEnd, type Follow } from './value-end.js'
import { createValueReader, type ValueReader } from './value-reader.js'

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
  const isLine = marks === undefined
  let name = markedName ?? ''
  let toolName = ''
  let shape = port.tools.shapeOf('')
  let isInParentheses = false
  const given = new Set<string>()
  let tree: KeyTree | undefined
  let value: ValueReader | undefined
  let json: ValueContent | undefined

  const pairEnd = createPairEnd({
    close: marks?.close,
    open: marks?.open,
    isInParentheses: () => isInParentheses,
    maxHeldChars: port.maxHeldChars,
    isOpenKey: key => shape.propertyNames.includes(pathOfKey(shape, key)[0] ?? '') && !given.has(key),
  })
  const contentOptions = { closeMark: marks?.close, maxHeldChars: port.maxHeldChars }

  const { writer, closeLast, finish, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: marks ? [marks.close] : [],
    // A line that cannot be read ends with its break, which is not the call's.
    opens: marks ? [marks.open] : ['\n'],
    onClose(problem) {
      const sink = commit().put
      if (problem || json) return
      if (given.size === 0) sink(Token.beginObject, '')
      tree?.replay(sink)
      sink(Token.endObject, '')
    },
  })
  const commit = () => markup.openCall(name)
  const breakOff = (message: string, unread: string, lost = '') => {
    if (!writer()) return finish('rejected')
    port.putRaw(lost)
    markup.breakOff(message, unread)
  }

  const beginValue = () => {
    const key = pairEnd.key()
    const { put, mayHaveKey } = commit()
    const path = pathOfKey(shape, key)
    if (given.size === 0) put(Token.beginObject, '')
    if (path.length > 1) tree ??= createKeyTree()
    const isTaken = given.has(key) || (tree && given.has(path[0] ?? '') && path.length > 1)
    const sink = isTaken ? undefined : tree ? tree.at(path) : put
    if (!sink) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, pairEnd.text())
    if (!tree) put(Token.key, key)
    given.add(key)
    value = createValueReader({
      ...contentOptions,
      sink,
      mayHaveKey: tree ? undefined : mayHaveKey,
      shape: shapeAtPath(shape, path),
      pairEnd,
    })
    goTo(readValue, afterValue)
  }
  /** `city=New| York`. What dotted keys hold is bounded, and where the bound is passed must not depend on where a chunk ends. */
  const readValue: ChunkReader = {
    feed: (chunk, from, to) => value?.feed(chunk, from, tree ? from + 1 : to) ?? to,
  }
  const afterValue = () => {
    const found = value?.status()
    if (found === 'next') beginValue()
    else if (found === 'end') closeLast(value?.giveBack())
    else if (found === 'failed') breakValue()
    else if ((tree?.heldChars() ?? 0) > port.maxHeldChars) {
      breakOff(`more than ${port.maxHeldChars} characters under dotted keys`, '')
    }
  }
  const breakValue = () => value && breakOff(value.error(), value.unread(), value.lost())
  const beginJson = () => {
    const { put, mayHaveKey } = commit()
    json = createJsonContent({ ...contentOptions, sink: put, mayHaveKey })
    json.feed('{', 0, 1)
    goTo(json, afterJson)
  }
  const afterJson = () => {
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    if (json?.status() !== 'over') return
    goTo(readBehind)
    pairEnd.begin(true, true)
    markup.readAgain(json.unread())
  }
  /** The object is whole, or lacks only its brackets; what does not close the call behind it is text. */
  const readBehind = (char: string) => {
    const follow = pairEnd.read(char)
    if (follow) leaveObject(follow)
  }
  const leaveObject = (follow: Follow) => {
    const text = pairEnd.text()
    if (follow !== 'end' && json?.end(true) === false) return breakOff(json.error(), text)
    json?.close()
    closeLast(follow === 'end' ? pairEnd.unreadChars() : text.length)
  }
  /** `<call>get_weather | city=…`, up to the first pair. */
  const readGap = (char: string) => {
    if ((char === '{' || (char === '(' && !isInParentheses)) && /^[ \t\r\n]*$/.test(pairEnd.text())) {
      if (char === '{') return beginJson()
      isInParentheses = true
      commit()
      return pairEnd.begin(true, true)
    }
    const follow = pairEnd.read(char)
    if (follow === 'next') beginValue()
    else if (follow === 'end') closeLast(pairEnd.unreadChars())
    else if (follow) breakOff('neither an argument nor the end of the call behind the name', pairEnd.text())
  }
  /** Space was read before the name. */
  let isSpaced = false
  const endName = () => {
    // `name: {…}`
    if (name.endsWith(':') && !port.tools.has(name)) name = name.slice(0, -1)
    toolName = forcedToolName ?? name
    shape = port.tools.shapeOf(toolName)
    goTo(readGap)
    pairEnd.begin(true, true)
    // Between tags a tool's name is proof enough; at the beginning of a line it may be part of a sentence.
    if (!isLine && port.tools.has(name)) commit()
    else if (isSpaced) finish('rejected')
  }
  const readName = (char: string) => {
    if (isLine && !/[\s({]/.test(char)) return finish('rejected')
    if (name === '' && !isLine && (char === '{' || char === '[')) {
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
    if (isAt(readName) && !isCut && port.tools.has(name)) {
      endName()
      closeLast()
    } else if (isAt(readName)) finish('rejected')
    else if (isAt(readGap)) {
      const isWhole = pairEnd.end() === 'end' && !isCut
      if (!writer() && !(isWhole && port.tools.has(toolName))) finish('rejected')
      else if (isWhole) closeLast(pairEnd.unreadChars())
      else closeLast(0, CUT)
    } else if (isAt(readValue) && value) {
      // Behind a value, and behind its line, more may have been to come.
      const isWhole = value.end(isCut) && !isCut
      if (value.status() === 'failed') breakValue()
      else closeLast(value.giveBack(), isWhole ? undefined : CUT)
    } else if (isAt(readBehind)) leaveObject(pairEnd.end())
    else closeLast(0, json?.end(isCut) ? undefined : CUT)
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
