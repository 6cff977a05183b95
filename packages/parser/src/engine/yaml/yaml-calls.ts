import { CUT } from '../events.js'
import type { CallOutput } from '../grammar.js'
import { type FallibleReading, readEnd, type TagCall, tagCalls } from '../tags/calls-in-tags.js'
import { type ElementGrammar, readElements, toolTagCalls } from '../tags/elements.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, peek } from '../text/read-marks.js'
import { columnOf, findKey, isIgnorableLine } from './lines.js'
import { readYaml } from './read-yaml.js'

type Start = 'yaml' | 'json' | 'elements'

const isProse = (text: string) =>
  !isIgnorableLine(text) && !/^[-}\])"']/.test(text) && !findKey(text)?.isWord

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument
 * of the tool proves a call, and so does the close tag. Another key needs a line of its own, and
 * the close tag behind nothing but what looks like arguments. JSON is found where it begins.
 */
function* readStart(
  cursor: Cursor,
  closeTag: string,
  names: readonly string[],
): Reading<Start | undefined> {
  const start = yield* peek(cursor, ahead => {
    const [inside = ''] = ahead.split(closeTag, 1)
    const isClosed = inside.length < ahead.length
    const isFull = ahead.length === MAX_LOOKAHEAD_CHARS
    const lines = inside.split('\n')
    const index = lines.findIndex((line, i) =>
      i === 0 ? line.trim() !== '' : !isIgnorableLine(line.trim()),
    )
    const [first = '', ...below] = index < 0 ? [] : lines.slice(index)
    if (first.trim().startsWith('{')) return 'json'
    if (isClosed && index < 0) return 'yaml'
    // The last line is not whole, unless the close tag stands behind it.
    const last = isClosed || isFull ? '' : below.pop()
    if (last === undefined && !cursor.isFinal) return 'wait'
    if (names.some(name => first.trim().startsWith(`<${name}>`))) return 'elements'
    // Without a space behind the colon it cannot be read, but is meant.
    const key = findKey(first.trim()) ?? findKey(first.trim().replace(':', ': '))
    if (key?.isWord && names.includes(key.name)) return 'yaml'
    if (!key?.isWord || index === 0) return 'text'
    if (below.some(line => columnOf(line) <= columnOf(first) && isProse(line.trim()))) return 'text'
    if (isClosed || isFull || (cursor.isFinal && cursor.isTruncated)) return 'yaml'
    if (!cursor.isFinal) return 'wait'
    return last?.trim() && closeTag.startsWith(last.trim()) ? 'yaml' : 'text'
  })
  if (start === 'json') cursor.at = cursor.text.indexOf('{', cursor.at)
  return start === 'text' ? undefined : start
}

/**
 * Reads the arguments of a call as YAML. The close tag counts at the beginning of a line and behind
 * plain text; in quotes and in a block it is text, since a block is indented. The arguments may
 * also be one JSON object, or stand in the line of the tags.
 */
function* readYamlArguments(
  cursor: Cursor,
  output: CallOutput,
  call: TagCall,
  grammar: ElementGrammar,
): FallibleReading {
  const [closeTag = ''] = call.ends
  const start = yield* readStart(cursor, closeTag, call.shape.propertyNames)
  if (!start) return CUT
  if (start === 'json') return yield* readEnd(cursor, call, true)
  return yield* start === 'elements'
    ? readElements(cursor, call, grammar)
    : readYaml(cursor, output, call)
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls = toolTagCalls(grammar =>
  tagCalls(grammar, (cursor, output, call) => readYamlArguments(cursor, output, call, grammar)),
)
