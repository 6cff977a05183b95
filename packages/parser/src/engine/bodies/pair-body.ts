import type { CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { type OldBody as Body, readOld } from '../old-body.js'
import { Token } from '../value-token.js'
import { createKeyTree, type KeyTree, pathOfKey, shapeAtPath } from './key-tree.js'
import { createJsonBody } from './old-json-body.js'
import { CUT, createMarkup } from './old-markup.js'
import { createPairReader, type PairPlace } from './pair-reader.js'

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
  const given = new Set<string>()
  let tree: KeyTree | undefined

  const { writer, closeLast, finish, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: marks ? [marks.close] : [],
    // A line that cannot be read ends with its break, which is not the call's.
    opens: marks ? [marks.open] : ['\n'],
    onClose(problem) {
      const sink = commit().put
      if (problem || reader.isObject()) return
      if (given.size === 0) sink(Token.beginObject, '')
      tree?.replay(sink)
      sink(Token.endObject, '')
    },
  })
  const commit = () => markup.openCall(name)
  const openPair = (key: string): PairPlace | string => {
    const { put, mayHaveKey } = commit()
    const path = pathOfKey(shape, key)
    if (given.size === 0) put(Token.beginObject, '')
    if (path.length > 1) tree ??= createKeyTree(maxHeldChars, putRaw)
    const isTaken = given.has(key) || (tree && given.has(path[0] ?? '') && path.length > 1)
    const sink = isTaken ? undefined : tree ? tree.at(path) : put
    if (!sink) return `the argument ${JSON.stringify(key)} is given twice`
    if (!tree) put(Token.key, key)
    given.add(key)
    return { sink, shape: shapeAtPath(shape, path), mayHaveKey: tree ? undefined : mayHaveKey }
  }
  const reader = createPairReader({
    marks,
    maxHeldChars,
    putRaw,
    isOpenKey: key => shape.propertyNames.includes(pathOfKey(shape, key)[0] ?? '') && !given.has(key),
    commit,
    openPair,
    errorOfValue: () => tree?.error(),
  })
  const afterPairs = () => {
    const unread = reader.unread()
    if (reader.status() === 'end') closeLast(unread.length)
    else if (reader.status() === 'cut') closeLast(unread.length, CUT)
    else if (reader.status() === 'failed' && writer()) markup.breakOff(reader.error(), unread)
    else if (reader.status() === 'failed') finish('rejected')
  }
  /** Space was read before the name. */
  let isSpaced = false
  const endName = () => {
    // `name: {…}`
    if (name.endsWith(':') && !tools.has(name)) name = name.slice(0, -1)
    shape = tools.shapeOf(forcedToolName ?? name)
    goTo(reader, afterPairs)
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
    else {
      reader.end(isCut)
      const isProven = reader.status() === 'end' && tools.has(forcedToolName ?? name)
      if (writer() || isProven) afterPairs()
      else finish('rejected')
    }
  })
}

/** Calls between tags, as a name and pairs. */
export function pairCalls(open: string, close: string): CallGrammar {
  return ({ forcedToolName }) => [
    {
      text: open,
      read: (cursor, port) =>
        readOld(cursor, port, port =>
          createPairBody(port, { marks: { open, close }, toolName: undefined, forcedToolName }),
        ),
    },
  ]
}

/** Calls in lines of their own that begin with a sign and the tool's name. */
export function lineCalls(sign: string): CallGrammar {
  return ({ tools, forcedToolName }) =>
    tools.names().map(toolName => ({
      text: `${sign}${toolName}`,
      isAtLineStart: true,
      read: (cursor, port) =>
        readOld(cursor, port, port => createPairBody(port, { marks: undefined, toolName, forcedToolName })),
    }))
}
