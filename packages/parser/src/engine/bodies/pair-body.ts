import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { Token } from '../value-token.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { createHeredoc } from './heredoc.js'
import { createJsonBody } from './json-body.js'
import { createKeyTree, type KeyTree, pathOfKey, shapeAtPath } from './key-tree.js'
import { openCall } from './open-call.js'
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

// Where the body stands.
const NAME = 0 //    <call>get_w|eather city=…
const GAP = 1 //     <call>get_weather | city=…       up to the first pair
const VALUE = 2 //   city=New| York
const OBJECT = 3 //  <call>get_weather {"ci|ty": …}
const BEHIND = 4 //  <call>get_weather {…} </ca|ll>
const BROKEN = 5
const OVER = 6

export function createPairBody(port: CallPort, { marks, toolName: markedName, forcedToolName }: PairGrammar): Body {
  const isLine = marks === undefined
  let state = NAME
  let status: BodyStatus = 'open'
  let givenBack = 0
  let name = ''
  let toolName = ''
  let shape = port.tools.shapeOf('')
  let writer: ArgumentWriter | undefined
  let isInParentheses = false
  const given = new Set<string>()
  let tree: KeyTree | undefined
  let value: ValueReader | undefined
  let json: ValueContent | undefined
  let tail: BrokenTail | undefined
  let trouble = ''
  /** An envelope between our tags is read as one. */
  let envelope: Body | undefined

  const pairEnd = createPairEnd({
    close: marks?.close,
    open: marks?.open,
    isInParentheses: () => isInParentheses,
    maxHeldChars: port.maxHeldChars,
    isOpenKey: key => shape.propertyNames.includes(pathOfKey(shape, key)[0] ?? '') && !given.has(key),
  })
  const contentOptions = { closeMark: marks?.close, maxHeldChars: port.maxHeldChars }

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  const commit = () => {
    if (writer) return writer
    writer = openCall(port, name, forcedToolName)
    return writer
  }
  const closeCall = (unreadChars: number, problem?: Problem) => {
    const sink = commit().put
    if (!problem && !json) {
      if (given.size === 0) sink(Token.beginObject, '')
      tree?.replay(sink)
      sink(Token.endObject, '')
    }
    port.close(problem)
    finish('done', unreadChars)
  }
  const breakOff = (message: string, unread: string, lost = '') => {
    if (!writer) return finish('rejected')
    port.putRaw(lost)
    trouble = message
    state = BROKEN
    // A line that cannot be read ends with its break, which is not the call's.
    tail = createBrokenTail(port, marks ? [marks.close] : [], marks ? [marks.open] : ['\n'])
    const at = readBroken(unread, 0, unread.length)
    if (status !== 'open') givenBack += unread.length - at
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    const at = tail?.feed(chunk, from, to) ?? to
    const unread = tail?.giveBack()
    if (unread !== undefined) closeCall(unread, { code: 'malformed-arguments', message: trouble })
    return at
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
      valueEnd: pairEnd,
      createHeredoc: isLine ? createHeredoc : undefined,
    })
    state = VALUE
  }
  const readValue = (chunk: string, from: number, to: number): number => {
    if (!value) return to
    // What dotted keys hold is bounded, and where the bound is passed must not depend on where a chunk ends.
    const at = value.feed(chunk, from, tree ? from + 1 : to)
    const found = value.status()
    if (found === 'next') beginValue()
    else if (found === 'end') closeCall(value.giveBack())
    else if (found === 'failed') breakOff(value.error(), value.unread(), value.lost())
    else if ((tree?.heldChars() ?? 0) > port.maxHeldChars) {
      breakOff(`more than ${port.maxHeldChars} characters under dotted keys`, '')
    }
    return at
  }
  const beginJson = () => {
    const { put, mayHaveKey } = commit()
    json = createJsonContent({ ...contentOptions, sink: put, mayHaveKey })
    json.feed('{', 0, 1)
    state = OBJECT
  }
  const readJson = (chunk: string, from: number, to: number): number => {
    if (!json) return to
    const at = json.feed(chunk, from, to)
    if (json.status() === 'failed') breakOff(json.error(), json.unread())
    if (json.status() !== 'over') return at
    state = BEHIND
    pairEnd.begin(true, true)
    const behind = json.unread()
    for (let i = 0; i < behind.length; i++) readBehind(behind.charAt(i))
    return at
  }
  /** The object is whole, or lacks only its brackets; what does not close the call behind it is text. */
  const readBehind = (char: string) => {
    if (state !== BEHIND) {
      givenBack++
      return
    }
    const follow = pairEnd.read(char)
    if (follow) leaveObject(follow)
  }
  const leaveObject = (follow: Follow) => {
    const text = pairEnd.text()
    if (follow !== 'end' && json?.end(true) === false) return breakOff(json.error(), text)
    json?.close()
    closeCall(follow === 'end' ? pairEnd.unreadChars() : text.length)
  }
  const readGap = (char: string) => {
    if ((char === '{' || (char === '(' && !isInParentheses)) && /^[ \t\r\n]*$/.test(pairEnd.text())) {
      if (char === '{') return beginJson()
      isInParentheses = true
      commit()
      return pairEnd.begin(true, true)
    }
    const follow = pairEnd.read(char)
    if (follow === 'next') beginValue()
    else if (follow === 'end') closeCall(pairEnd.unreadChars())
    else if (follow) breakOff('neither an argument nor the end of the call behind the name', pairEnd.text())
  }
  /** Space was read before the name. */
  let isSpaced = false
  const endName = () => {
    // `name: {…}`
    if (name.endsWith(':') && !port.tools.has(name)) name = name.slice(0, -1)
    toolName = forcedToolName ?? name
    shape = port.tools.shapeOf(toolName)
    state = GAP
    pairEnd.begin(true, true)
    // Between tags a tool's name is proof enough; at the beginning of a line it may be part of a sentence.
    if (!isLine && port.tools.has(name)) commit()
    else if (isSpaced) finish('rejected')
  }
  const readName = (chunk: string, at: number): number => {
    const char = chunk.charAt(at)
    if (isLine) {
      name = markedName ?? ''
      if (!/[\s({]/.test(char)) finish('rejected')
      else endName()
      return at
    }
    if (name === '' && (char === '{' || char === '[')) {
      envelope = createJsonBody(port, { ends: [marks.close], opens: [marks.open], forcedToolName })
      return at
    }
    if (name === '' && isSpace(char)) {
      isSpaced = true
      return at + 1
    }
    if (/[\s({<]/.test(char) && name) {
      endName()
      return at
    }
    name += char
    if (name.length > MAX_NAME_CHARS || /[<>="']/.test(char)) finish('rejected')
    return at + 1
  }

  return {
    feed(chunk, from, to) {
      let at = from
      while (at < to && state !== OVER) {
        if (envelope) return envelope.feed(chunk, at, to)
        if (state === NAME) at = readName(chunk, at)
        else if (state === GAP) readGap(chunk.charAt(at++))
        else if (state === VALUE) at = readValue(chunk, at, to)
        else if (state === OBJECT) at = readJson(chunk, at, to)
        else if (state === BEHIND) readBehind(chunk.charAt(at++))
        else at = readBroken(chunk, at, to)
      }
      return at
    },
    end(isCut) {
      if (envelope) return envelope.end(isCut)
      const cut: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }
      if (isLine && state === NAME) name = markedName ?? ''
      if (state === NAME && !isCut && port.tools.has(name)) {
        endName()
        closeCall(0)
      } else if (state === NAME) finish('rejected')
      else if (state === GAP) {
        const isWhole = pairEnd.end() === 'end' && !isCut
        if (!writer && !(isWhole && port.tools.has(toolName))) finish('rejected')
        else if (isWhole) closeCall(pairEnd.unreadChars())
        else closeCall(0, cut)
      } else if (state === VALUE && value) {
        // Behind a value, and behind its line, more may have been to come.
        const isWhole = value.end(isCut) && !isCut
        if (value.status() === 'failed') breakOff(value.error(), value.unread(), value.lost())
        else closeCall(value.giveBack(), isWhole ? undefined : cut)
      } else if (state === OBJECT) {
        if (json?.end(isCut)) closeCall(0)
        else closeCall(0, cut)
      } else if (state === BEHIND) {
        leaveObject(pairEnd.end())
      }
      if (state === BROKEN) {
        tail?.end()
        closeCall(0, { code: 'malformed-arguments', message: trouble })
      }
    },
    status: () => envelope?.status() ?? status,
    giveBack: () => envelope?.giveBack() ?? givenBack,
  }
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
