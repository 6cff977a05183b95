import { CUT } from '../events.js'
import { failWith } from '../failure.js'
import type { CallOutput } from '../grammar.js'
import { readEnd, type TagCall, toolTagMark } from '../tags/calls-in-tags.js'
import { type ElementGrammar, readElements } from '../tags/elements.js'
import { toolTagCalls } from '../tags/tool-tags.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, peek } from '../text/read-marks.js'
import { columnOf, findKey, isIgnorableLine } from './lines.js'
import { readYaml } from './read-yaml.js'

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls = toolTagCalls(grammar =>
  toolTagMark(grammar, (cursor, output, call) => readYamlArguments(cursor, output, call, grammar)),
)

/**
 * Reads the arguments of a call as YAML, as one JSON object, or as elements. The close tag counts at
 * the beginning of a line and after plain text. In quotes and in a block, which is indented, it is
 * text.
 */
function* readYamlArguments(
  cursor: Cursor,
  output: CallOutput,
  call: TagCall,
  grammar: ElementGrammar,
): Reading {
  const [closeTag = ''] = call.ends
  const tool = { closeTag, argumentNames: call.shape.propertyNames }
  switch (yield* peekStart(cursor, tool)) {
    case 'text':
      return failWith(CUT)
    case 'json':
      cursor.at = cursor.text.indexOf('{', cursor.at)
      return yield* readEnd(cursor, call, true)
    case 'elements':
      noteRepair(cursor, 'other-notation')
      return yield* readElements(cursor, call, grammar)
    case 'yaml':
      return yield* readYaml(cursor, output, call)
  }
}

/** What follows the open tag of a tool. */
export type Start =
  /** `<get_weather>\n|city: Paris` */
  | 'yaml'
  /** `<get_weather>|{"city": "Paris"}` */
  | 'json'
  /** `<get_weather>|<city>Paris</city>` */
  | 'elements'
  /** `Use <get_weather>| for that.`: the tag is only mentioned. */
  | 'text'

/** What ends the text that a look ahead gets, if the close tag is not in it. */
export type TextEnd =
  /** More text may come. */
  | 'open'
  /** The look-ahead limit. */
  | 'limit'
  /** The end of the text. `truncated`: the model was stopped there. */
  | 'final'
  | 'truncated'

export interface YamlTool {
  /** `</get_weather>` */
  readonly closeTag: string
  /** The arguments that the schema declares. */
  readonly argumentNames: readonly string[]
}

/** Waits until the text shows what follows the open tag, and takes nothing. */
function* peekStart(cursor: Cursor, tool: YamlTool): Reading<Start> {
  const found = yield* peek(cursor, ahead => findStart(ahead, tool, 'open'))
  if (found) return found
  const ahead = cursor.text.slice(cursor.at, cursor.at + MAX_LOOKAHEAD_CHARS)
  const textEnd = cursor.isTruncated ? 'truncated' : 'final'
  const start = findStart(ahead, tool, ahead.length === MAX_LOOKAHEAD_CHARS ? 'limit' : textEnd)
  // It waits only for more text.
  return start === 'wait' ? 'text' : start
}

/**
 * Tells a call from a tag that is only mentioned, by the text after the open tag. An argument of the
 * tool proves a call, and so does the close tag at once. Another key must be in a line of its own,
 * with nothing but what looks like arguments between it and the close tag (decision 63).
 */
export function findStart(ahead: string, tool: YamlTool, textEnd: TextEnd): Start | 'wait' {
  const { closeTag } = tool
  const [inside = ''] = ahead.split(closeTag, 1)
  const isClosed = inside.length < ahead.length
  const lines = splitLines(inside, isClosed || textEnd === 'limit')
  // `<get_weather>\n|{` (decision 65)
  if (lines.first.trim().startsWith('{')) return 'json'
  // `<get_time>\n|</get_time>`
  if (isClosed && lines.first === '') return 'yaml'
  // `<get_weather>\nci|`
  if (textEnd === 'open' && !lines.isFirstComplete) return 'wait'
  const start = findStartByLine(lines, tool)
  if (start !== 'other-key') return start
  // `<loose>\nname: x\nThat is how|`
  if (hasProse(lines)) return 'text'
  return isClosed ? 'yaml' : findStartByEnd(lines.partial, closeTag, textEnd)
}

/** The lines after an open tag. */
interface StartLines {
  /** The first line that means something, with its indentation; '' without one. */
  readonly first: string
  /** `<get_weather>city: Paris` */
  readonly isFirstInTagLine: boolean
  /** The end of the first line is known. */
  readonly isFirstComplete: boolean
  /** The lines after the first whose end is known. */
  readonly below: readonly string[]
  /** The line after them, of which more may come; '' without one. */
  readonly partial: string
}

/** `<get_weather>| # where`; a fence or a border right after the tag is prose. */
const isBlankOrComment = (text: string) => text === '' || text.startsWith('#')

/** `isComplete`: the last line counts as it is. */
function splitLines(inside: string, isComplete: boolean): StartLines {
  const all = inside.split('\n')
  const index = all.findIndex((line, at) =>
    at === 0 ? !isBlankOrComment(line.trim()) : !isIgnorableLine(line.trim()),
  )
  const [first = '', ...below] = index < 0 ? [] : all.slice(index)
  const partial = isComplete ? '' : below.pop()
  return {
    first,
    isFirstInTagLine: index === 0,
    isFirstComplete: partial !== undefined,
    below,
    partial: partial ?? '',
  }
}

/**
 * Decides by the first line. `other-key`: it is a key that the tool does not declare, so the lines
 * after it decide.
 */
function findStartByLine(lines: StartLines, { argumentNames }: YamlTool): Start | 'other-key' {
  const first = lines.first.trim()
  // `<get_weather>\n|<city>`
  if (argumentNames.some(name => first.startsWith(`<${name}>`))) return 'elements'
  // `|city:Paris` is meant as an argument too, although it cannot be read.
  const key = findKey(first) ?? findKey(first.replace(':', ': '))
  // `<get_weather>| is a tool`
  if (!key?.isWord) return 'text'
  // `|city: Paris`
  if (argumentNames.includes(key.name)) return 'yaml'
  // `<get_weather>|note: a tag that is mentioned`
  return lines.isFirstInTagLine ? 'text' : 'other-key'
}

/** True if a line that is not indented by more than the first is not part of YAML. */
const hasProse = ({ first, below }: StartLines) =>
  below.some(line => columnOf(line) <= columnOf(first) && isProse(line.trim()))

/** True for a line that is not an entry, not the end of brackets or quotes, and not ignorable. */
function isProse(text: string): boolean {
  if (isIgnorableLine(text) || /^[-}\])"']/.test(text)) return false
  return findKey(text)?.isWord !== true
}

/** Decides by the end of the text after lines that all look like YAML, but without a close tag. */
function findStartByEnd(partial: string, closeTag: string, textEnd: TextEnd): Start | 'wait' {
  if (textEnd === 'open') return 'wait'
  if (textEnd !== 'final') return 'yaml'
  // `<loose>\nname: x\n</loo|`
  const isCloseTag = partial.trim() !== '' && closeTag.startsWith(partial.trim())
  return isCloseTag ? 'yaml' : 'text'
}
