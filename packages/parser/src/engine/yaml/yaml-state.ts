import type { ArgumentWriter } from '../argument-writer.js'
import { CUT, malformed } from '../events.js'
import { failWith } from '../failure.js'
import type { CallOutput } from '../grammar.js'
import { endsAlmostWith } from '../tags/tag-repairs.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { MAX_LOOKAHEAD_CHARS, peekText, readMark, readUpTo } from '../text/read-marks.js'
import {
  columnOf,
  findTagName,
  isDash,
  isIgnorableLine,
  isPartialCloseTag,
  startsWithCloseTag,
} from './lines.js'

// What all readers of YAML share: the entry at the cursor, its level, and the way to the next line.

/** How deep an entry is: by its column, and an item is inside a key of the same column. */
export interface Level {
  readonly column: number
  /** `- a`; otherwise it is a key. */
  readonly isItem: boolean
}

/** The level around the arguments, and the level after the last line. */
export const outermost: Level = { column: -1, isItem: false }

/**
 * True if a line belongs to an entry of the outer level:
 *
 *     tags:
 *     - a
 */
export function isDeeper(inner: Level, outer: Level): boolean {
  if (inner.column !== outer.column) return inner.column > outer.column
  return inner.isItem && !outer.isItem
}

export const isSameLevel = (left: Level, right: Level) =>
  left.column === right.column && left.isItem === right.isItem

/** The arguments of a call that are being read. */
export interface YamlState {
  readonly cursor: Cursor
  readonly output: CallOutput
  readonly writer: ArgumentWriter
  /** `</write_file>` */
  readonly closeTag: string
  /** The arguments that the schema of the tool declares. */
  readonly argumentNames: readonly string[]
  /** The arguments that were read, in the call's own tag too. */
  readonly seenArguments: Set<string>
  /** The level of the arguments, which is that of the first one. */
  rootLevel: Level
  /** The rest of the line at the cursor, trimmed: an entry, or the value after its key or dash. */
  text: string
  /** The column of `text`; -1 after the last line. */
  column: number
  /** The key that was read last, for messages. */
  key: string
  /**
   * The last value was a block or is missing (`content:`), so the lines after it may be meant as its
   * text (decision 53).
   */
  isAfterBlock: boolean
  /** The column in which the text of the value being read begins. */
  textColumn: number
  /** The last value, or the last line of it, if it has no quotes and no brackets. */
  lastText: string
}

export const currentLevel = ({ column, text }: YamlState): Level => ({
  column,
  isItem: isDash(text),
})

export const isAtEnd = ({ cursor }: YamlState) => cursor.isFinal && cursor.at === cursor.text.length

export const isAtLineBreak = ({ cursor }: YamlState) => cursor.text.charAt(cursor.at) === '\n'

/** Stops reading. A problem in the last line of a text that was cut is that it was cut. */
export function fail(yaml: YamlState, message: string): never {
  const { cursor } = yaml
  const isTruncated = cursor.isFinal && cursor.isTruncated
  const isInCutLine = isTruncated && !cursor.text.includes('\n', cursor.at)
  failWith(isInCutLine || isAtEnd(yaml) ? CUT : malformed(message))
}

const MAX_EXCERPT_CHARS = 40

/** Returns the beginning of a text, for a message. */
export const excerpt = (text: string) =>
  text.length > MAX_EXCERPT_CHARS ? `${text.slice(0, MAX_EXCERPT_CHARS)}…` : text

/** Takes the rest of the line, but not its line break. */
export const readLine = ({ cursor, output }: YamlState) =>
  readUpTo(cursor, ['\n'], output.maxHeldChars)

/**
 * Returns the line that begins so many characters after the cursor, up to the look-ahead limit. Of a
 * line that begins with the close tag there may be less.
 */
export function* peekLine({ cursor, closeTag }: YamlState, from: number): Reading<string> {
  const isEnough = (ahead: string) => ahead.includes('\n') || startsWithCloseTag(ahead, closeTag)
  const ahead = yield* peekText(cursor, isEnough, from)
  return ahead.split('\n', 1)[0] ?? ''
}

/** True for so much whitespace that it is not clear what follows it in the line. */
export const isEndOutOfSight = (line: string) =>
  line.length === MAX_LOOKAHEAD_CHARS && line.trim() === ''

/**
 * Goes from the end of an entry to the next line that means something, and sets `text` and `column`.
 * There is none at the end of the call, which is taken, and before another call, which is not.
 */
export function* nextLine(yaml: YamlState, entry: Level, needsValue = false): Reading {
  const { cursor } = yaml
  yaml.text = ''
  yaml.column = -1
  for (;;) {
    const isNewLine = (yield* readMark(cursor, ['\n'])) !== ''
    const line = yield* peekLine(yaml, 0)
    if (takeCallEnd(yaml, line, needsValue)) return
    const text = line.trim()
    const column = columnOf(line)
    if (isEndOutOfSight(line)) {
      fail(yaml, `expected less whitespace, found ${column} characters of it`)
    }
    // `city: Paris\n|<get_time/>`: the close tag is missing. After `city:` the tag is its value.
    if (!needsValue && yaml.output.tools.has(findTagName(text))) {
      noteMissingClose(yaml)
      return
    }
    cursor.at += column
    if (!isSkipped(text, column, entry)) {
      // `city: "Paris"|, France`
      const isAfterValue = !isNewLine && entry !== outermost
      if (isAfterValue) {
        fail(yaml, `unexpected text after the value of \`${yaml.key}\`: \`${excerpt(text)}\``)
      }
      yaml.text = text
      yaml.column = column
      return
    }
    noteFence(yaml, text)
    yield* readLine(yaml)
  }
}

/** `<f>\n|```yaml\ncity: Paris` Records a fence around all arguments, once. */
function noteFence({ cursor, key }: YamlState, line: string): void {
  if (key === '' && line.startsWith('```')) noteRepair(cursor, 'fenced')
}

/** `city: Paris|` The close tag of the call is missing, or it is the end of the last value (decision 75). */
function noteMissingClose({ cursor, closeTag, lastText }: YamlState): void {
  const text = lastText.trimEnd()
  // `content: |\n  x</write_file>|`
  if (text.endsWith(closeTag)) noteRepair(cursor, 'foreign-close')
  // `city: Paris</get_weahter>|`
  else if (endsAlmostWith(text, closeTag)) noteRepair(cursor, 'markup-at-edge')
  else noteRepair(cursor, 'missing-close')
}

/** Takes the close tag of the call if the line begins with it. Returns false if it does not. */
function takeCallEnd(yaml: YamlState, line: string, needsValue: boolean): boolean {
  const { cursor, closeTag } = yaml
  // `city: Paris\n|</get_weather>`
  if (startsWithCloseTag(line, closeTag)) {
    cursor.at += columnOf(line) + closeTag.length
    return true
  }
  // `city: Paris\n|</get_w`, or the text ends without any of it (decision 62).
  const isLast = cursor.isFinal && cursor.at + line.length === cursor.text.length
  if (!isLast || !isPartialCloseTag(line, closeTag)) return false
  cursor.at += columnOf(line) + line.trim().length
  if (cursor.isTruncated || needsValue) failWith(CUT)
  noteMissingClose(yaml)
  return true
}

/** Decides whether a line after an entry means nothing. */
export function isSkipped(text: string, column: number, entry: Level): boolean {
  if (!isIgnorableLine(text)) return false
  if (text === '' || text.startsWith('#') || entry === outermost) return true
  // `content:\n  |---`: what is indented by more than the entry belongs to it.
  return column <= entry.column
}
