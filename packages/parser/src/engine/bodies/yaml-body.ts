import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import type { Problem } from '../events.js'
import { peek } from '../marks.js'
import { readJson } from '../read-json.js'
import { putText, Token } from '../value-token.js'
import { readYaml } from '../yaml/read-yaml.js'
import { columnOf, findKey, isIdle } from '../yaml/yaml-line.js'
import { createMarkup } from './markup.js'
import { readTag } from './tag-reader.js'

/** A call must show itself in so many characters behind its open tag. */
const MAX_START_CHARS = 2048

const jsonStart = /^\s*\{\s*(?:["'}]|[\w$.-]+\s*:)/
/** What may become that. */
const jsonBegun = /^\s*\{\s*[\w$.-]*\s*$/

/** Two words without a colon: no argument begins like that. */
const proseStart = /^\s*[\p{L}\p{N}_$][^\s:]*\s+[^\s:]/u
const isProse = (text: string) => !isIdle(text) && !/^[-}\])"']/.test(text) && !findKey(text)?.isWord

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool proves a call, and
 * so do JSON and the close tag. Another key needs a line of its own, and the close tag behind nothing but what looks like arguments. Takes the lines
 * before the first argument.
 */
function* readStart(cursor: Cursor, closeTag: string, names: readonly string[]): Reading<'yaml' | 'json' | undefined> {
  let idleChars = 0
  const start = yield* peek(cursor, text => {
    const ahead = text.slice(0, MAX_START_CHARS)
    const [inside = ''] = ahead.split(closeTag, 1)
    const isClosed = inside.length < ahead.length
    const isFull = ahead.length === MAX_START_CHARS
    const isAll = isClosed || isFull || cursor.isOver
    const lines = inside.split('\n')
    const index = lines.findIndex((line, i) => (i === 0 ? line.trim() !== '' : !isIdle(line.trim())))
    if (index < 0) return isClosed ? 'yaml' : isAll ? 'text' : undefined

    const [first = '', ...below] = lines.slice(index)
    const rest = lines.slice(index).join('\n')
    idleChars = inside.length - rest.length
    if (jsonStart.test(rest)) return 'json'
    if (proseStart.test(first)) return 'text'
    if (!isAll && (below.length === 0 || jsonBegun.test(rest))) return undefined
    const key = findKey(first.trim())
    if (key?.isWord && names.includes(key.name)) return 'yaml'
    if (!key?.isWord || index === 0) return 'text'

    // The last line is not whole, unless the close tag stands behind it.
    const last = isClosed ? '' : (below.pop() ?? '').trim()
    const column = columnOf(first)
    if (below.some(line => columnOf(line) <= column && isProse(line.trim()))) return 'text'
    if (isClosed || isFull) return 'yaml'
    if (cursor.isOver) return cursor.isCut || (last !== '' && closeTag.startsWith(last)) ? 'yaml' : 'text'
    return undefined
  })
  cursor.at += idleChars
  return start === 'text' ? undefined : start
}

/**
 * Calls as elements whose tag is the tool's name, with the arguments as YAML:
 *
 *     <write_file>
 *     path: src/a.ts
 *     content: |
 *       if (a < b) {
 *         return
 *       }
 *     </write_file>
 *
 * The close tag counts at the beginning of a line and behind plain text; in quotes and in a block it is text, since a block is
 * indented. The arguments may also be one JSON object, or stand in the line of the tags.
 */
function* readYamlCall(cursor: Cursor, port: CallPort, tag: string): Body {
  const { tools } = port
  const closeTag = `</${tag}>`
  /** What opens the next call, and so also ends one that cannot be read. */
  const opens = tools.names().map(name => `<${name}`)
  const { propertyNames: names } = tools.shapeOf(tag)
  const markup = createMarkup(cursor, port, { ends: [closeTag], opens })

  const openTag = yield* readTag(cursor)
  if (!openTag) return undefined
  const start = openTag.isSelfClosing ? 'nothing' : yield* readStart(cursor, closeTag, names)
  if (start === undefined) return undefined

  const writer = markup.openCall(tag)
  let problem: Problem | undefined
  if (start === 'json') problem = yield* readJson(cursor, writer.put, { ...writer, ends: [closeTag] })
  else {
    writer.put(Token.beginObject, '')
    for (const [name, value] of openTag.attributes.filter(([key]) => names.includes(key))) {
      writer.put(Token.key, name)
      putText(Token.beginRaw, value, writer.put)
    }
    if (start === 'nothing') writer.put(Token.endObject, '')
    else problem = yield* readYaml(cursor, port, writer, closeTag)
  }
  yield* markup.endCall(problem)
  if (start === 'json' && !problem) {
    // A brace too many is a slip of the model's, and a fence may end here.
    const isEnd = (yield* markup.nextMark([closeTag], char => isSpace(char) || char === '}' || char === '`')) !== ''
    if (isEnd || markup.takeBegun([closeTag])) markup.claim()
  }
  return markup.leave()
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = tools =>
  tools.names().map(tag => ({
    text: `<${tag}`,
    read: (cursor, port) => readYamlCall(cursor, port, tag),
  }))
