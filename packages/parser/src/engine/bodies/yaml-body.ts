import type { CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT } from '../events.js'
import { peek } from '../marks.js'
import { readJson } from '../read-json.js'
import { columnOf, findKey, isIdle, readYaml } from '../read-yaml.js'
import { Token } from '../value-token.js'
import { toolTagCalls } from './element-body.js'
import { type Attempt, type TagCall, tagCalls } from './tag-call.js'
import { putAttributes, readTag } from './tag-reader.js'

/** A call must show itself in so many characters behind its open tag. */
const MAX_START_CHARS = 1024

const jsonStart = /^\s*\{[ \t]*(?:["'}\r\n]|[\w$.-]+[ \t]*:)/
/** Two words without a colon: no argument begins like that. */
const proseStart = /^\s*[\p{L}\p{N}_$][^\s:]*\s+[^\s:]/u
const isProse = (text: string) => !isIdle(text) && !/^[-}\])"']/.test(text) && !findKey(text)?.isWord

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool proves a call, and
 * so do JSON and the close tag. Another key needs a line of its own, and the close tag behind nothing but what looks like
 * arguments. Takes the lines before the first argument.
 */
function* readStart(cursor: Cursor, closeTag: string, names: readonly string[]): Reading<'yaml' | 'json' | undefined> {
  let idleChars = 0
  const start = yield* peek(cursor, text => {
    const ahead = text.slice(0, MAX_START_CHARS)
    const [inside = ''] = ahead.split(closeTag, 1)
    const isClosed = inside.length < ahead.length
    const isFull = ahead.length === MAX_START_CHARS
    const lines = inside.split('\n')
    const index = lines.findIndex((line, i) => (i === 0 ? line.trim() !== '' : !isIdle(line.trim())))
    const [first = '', ...below] = index < 0 ? [] : lines.slice(index)
    const rest = [first, ...below].join('\n')
    idleChars = inside.length - rest.length
    if (jsonStart.test(rest)) return 'json'
    if (isClosed && index < 0) return 'yaml'
    if (proseStart.test(first)) return 'text'
    // The last line is not whole, unless the close tag stands behind it.
    const last = isClosed || isFull ? '' : below.pop()
    if (last === undefined && !cursor.isOver) return undefined
    const key = findKey(first.trim())
    if (key?.isWord && names.includes(key.name)) return 'yaml'
    if (!key?.isWord || index === 0) return 'text'
    if (below.some(line => columnOf(line) <= columnOf(first) && isProse(line.trim()))) return 'text'
    if (isClosed || isFull || (cursor.isOver && cursor.isCut)) return 'yaml'
    if (!cursor.isOver) return undefined
    return last?.trim() && closeTag.startsWith(last.trim()) ? 'yaml' : 'text'
  })
  cursor.at += idleChars
  return start === 'text' ? undefined : start
}

/**
 * Reads the arguments of a call as YAML. The close tag counts at the beginning of a line and behind plain text; in quotes and in a block it
 * is text, since a block is indented. The arguments may also be one JSON object, or stand in the line of the tags.
 */
function* readArguments(cursor: Cursor, port: CallPort, call: TagCall): Attempt {
  const [closeTag = ''] = call.ends
  const tag = yield* readTag(cursor)
  const start = tag?.isSelfClosing ? 'nothing' : tag && (yield* readStart(cursor, closeTag, call.shape.propertyNames))
  if (!tag || !start) return CUT
  const writer = call.commit()
  if (start === 'json') {
    const problem = yield* readJson(cursor, writer.put, { ...writer, ends: [closeTag] })
    // A brace too many is a slip of the model's, and a fence may end here.
    const isSkipped = (char: string) => isSpace(char) || char === '}' || char === '`'
    if (!problem && !(yield* call.markup.nextMark([closeTag], isSkipped))) call.markup.takeBegun([closeTag])
    return problem
  }
  writer.put(Token.beginObject, '')
  putAttributes(tag, call.shape.propertyNames, writer.put)
  if (start === 'yaml') return yield* readYaml(cursor, port, writer, closeTag)
  writer.put(Token.endObject, '')
  return undefined
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls = toolTagCalls(grammar => tagCalls(grammar, readArguments))
