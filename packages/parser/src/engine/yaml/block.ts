import { CUT } from '../events.js'
import { failWith } from '../failure.js'
import { noteRepair, type Reading } from '../text/cursor.js'
import { peekText } from '../text/read-marks.js'
import { Token } from '../values/tokens.js'
import { columnOf, findKey, isEntry, startsWithCloseTag } from './lines.js'
import {
  excerpt,
  fail,
  isAtEnd,
  isAtLineBreak,
  isSameLevel,
  type Level,
  peekLine,
  readLine,
  type YamlState,
} from './yaml-state.js'

// Text of several lines, indented by more than its key:
//
//     content: |
//       if x:
//         y
//
// In the examples below the last `|` is the cursor.

/** The header of a block: `|`, `>-`, `|2`, `>+1`. */
export interface BlockHeader {
  /** `>`: lines are joined by spaces. */
  readonly isFolded: boolean
  /** How many line breaks after the last line are kept: `+` all, `-` none, otherwise one. */
  readonly chomping: string
  /** `|2`: by how much the lines are indented; 0 if the first line shows it. */
  readonly indent: number
}

/** A sign and a digit in any order: `|2-` or `|-2`. */
const blockHeader = /^[|>](?:[1-9][-+]?|[-+][1-9]?)?$/

export const isBlockHeader = (text: string) => blockHeader.test(text)

export function parseBlockHeader(text: string): BlockHeader {
  const [chomping = ''] = /[-+]/.exec(text) ?? []
  const [digit = ''] = /\d/.exec(text) ?? []
  return { isFolded: text.startsWith('>'), chomping, indent: Number(digit) }
}

/** A block that is being read. */
export interface Block {
  readonly header: BlockHeader
  /** The column of the key or the dash that the block belongs to. */
  readonly entryColumn: number
  /** It is the value of an argument, which models do not always indent. */
  readonly isArgument: boolean
  /**
   * The column in which its lines begin. Undefined before the first line that is not blank; that of
   * the entry if the block is not indented; Infinity if it has no lines.
   */
  indent: number | undefined
  /** The line breaks since the last text. The one after the header does not count. */
  breaks: number
  /** The last line with text, without its indentation; '' before the first. */
  lastLine: string
  /** How many lines with text it has, and how many of them begin in its column. */
  lineCount: number
  flushCount: number
  /** `\tx` */
  hasTabs: boolean
}

export const createBlock = (
  header: BlockHeader,
  entryColumn: number,
  isArgument: boolean,
): Block => ({
  header,
  entryColumn,
  isArgument,
  indent: header.indent === 0 ? undefined : entryColumn + header.indent,
  breaks: -1,
  lastLine: '',
  lineCount: 0,
  flushCount: 0,
  hasTabs: false,
})

/**
 * Reads a block from its header on, up to the first line that is indented by less. A block that is
 * not indented at all goes on to the next argument or to the close tag, which must not be missing
 * then (decision 53).
 */
export function* readBlock(yaml: YamlState, entry: Level): Reading {
  const { cursor } = yaml
  const { put } = yaml.writer
  const header = parseBlockHeader(yaml.text)
  const block = createBlock(header, entry.column, isSameLevel(entry, yaml.rootLevel))
  put(Token.beginQuoted, '')
  yield* readLine(yaml)
  while (isAtLineBreak(yaml)) {
    const next = yield* peekLine(yaml, 1)
    block.indent ??= findIndent(block, next)
    block.hasTabs ||= next.startsWith('\t')
    block.breaks++
    if (yield* endsBlock(yaml, block, next)) break
    if (isFenceAsBlock(block, next)) {
      fail(yaml, `expected the text of \`${yaml.key}\`, found a fence: ${excerpt(next)}`)
    }
    cursor.at++
    const line = withoutIndent(block, yield* readLine(yaml))
    if (line === '') continue
    put(Token.text, separatorBefore(block, line) + line)
    addLine(block, line)
  }
  // `content: |\n  x|`, cut, or `content: |\nx|` without a close tag.
  const mayBeCut = cursor.isTruncated || isUnindented(block)
  if (mayBeCut && isAtEnd(yaml)) failWith(CUT)
  put(Token.text, '\n'.repeat(countTrailingBreaks(block)))
  noteBlock(yaml, block)
  yaml.lastText = block.lastLine
  put(Token.endText, '')
}

/** `content: |\nx|` Records a block that is not indented as YAML demands (decision 75). */
function noteBlock({ cursor }: YamlState, block: Block): void {
  const { header, indent = 0, entryColumn, lineCount, flushCount, hasTabs } = block
  if (lineCount === 0) return
  // `content: |\n|o  x\n  y`: only the first line lacks an indentation that all others have.
  const isNarrow = header.indent === 0 && !hasTabs && indent <= entryColumn + 1
  const isFirstAlone = lineCount > 1 && flushCount === 1
  if (isNarrow && isFirstAlone) noteRepair(cursor, 'odd-indent')
  else if (indent === entryColumn) noteRepair(cursor, 'unindented-block')
}

function addLine(block: Block, line: string): void {
  block.lastLine = line
  block.breaks = 0
  block.lineCount++
  if (/^\S/.test(line)) block.flushCount++
}

const isUnindented = ({ indent, entryColumn }: Block) => indent === entryColumn

/** Returns the column in which the lines of a block begin, by its first line. */
export function findIndent(block: Block, line: string): number | undefined {
  if (line.trim() === '') return undefined
  // `content: |\n|  x`
  if (columnOf(line) > block.entryColumn) return columnOf(line)
  // `content: |\n|x`
  if (block.isArgument) return block.entryColumn
  // `- |\n|- b`
  return Infinity
}

/** Decides whether a block ends before a line. */
function* endsBlock(yaml: YamlState, block: Block, line: string): Reading<boolean> {
  const { closeTag } = yaml
  const { indent } = block
  if (line.trim() === '' || indent === undefined) return false
  // `  x\n|path: a`
  if (columnOf(line) < indent) return true
  // `x\n|path: a` if the block is not indented.
  if (isUnindented(block) && isNewArgument(yaml, line)) return true
  if (!startsWithCloseTag(line, closeTag)) return false
  // `x\n|</write_file>`
  if (isUnindented(block)) return true
  // `  x\n|  </write_file>`
  const ahead = yield* peekText(yaml.cursor, hasLineAfterTag)
  return isCloseTagOfCall(ahead, closeTag, indent)
}

/** True for an argument that the tool has and that was not read yet. */
function isNewArgument({ argumentNames, seenArguments }: YamlState, line: string): boolean {
  const name = findKey(line.trim())?.name
  return name !== undefined && argumentNames.includes(name) && !seenArguments.has(name)
}

/** `\n  </write_file>\n\nmore text\n` */
const hasLineAfterTag = (ahead: string) => /^\n[^\n]*\n\s*\S[^\n]*\n/.test(ahead)

/**
 * Decides whether a close tag that is indented like the block ends the call. It is text if more of
 * the block or an entry follows. `ahead` begins with the line break before the tag.
 */
export function isCloseTagOfCall(ahead: string, closeTag: string, indent: number): boolean {
  const [, tagLine = '', ...below] = ahead.split('\n')
  const next = below.find(line => line.trim() !== '') ?? ''
  const isFollowed = isEntry(next, closeTag) || columnOf(next) >= indent
  return tagLine.trim() === closeTag && !isFollowed
}

/** True for a fence in place of the first line of a block that is not indented (decision 55). */
export const isFenceAsBlock = (block: Block, line: string) =>
  isUnindented(block) && block.lastLine === '' && line.trimStart().startsWith('```')

/** Removes the indentation of a line, and a carriage return at its end. */
export function withoutIndent({ indent }: Block, line: string): string {
  if (indent === undefined) return ''
  return line.slice(indent, line.endsWith('\r') ? -1 : undefined)
}

/**
 * Returns the line breaks between the last line of a block and a new one. After `>` one line break
 * is a space, and of several the first means nothing. A line that begins with whitespace is not
 * joined.
 */
export function separatorBefore({ header, breaks, lastLine }: Block, line: string): string {
  const isJoined = header.isFolded && /^\S/.test(lastLine) && /^\S/.test(line)
  if (!isJoined) return '\n'.repeat(breaks)
  return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
}

/** Returns how many of the line breaks after its last line belong to a block. */
export function countTrailingBreaks({ header, breaks, lastLine }: Block): number {
  if (header.chomping === '+') return Math.max(breaks, 0)
  if (header.chomping === '-' || lastLine === '') return 0
  return Math.min(breaks, 1)
}
