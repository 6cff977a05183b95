import type { ArgumentWriter } from '../argument-writer.js'
import { isSpace } from '../characters.js'
import { ANY_KIND, Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'

/** What can be said of a line of YAML by looking at it. */

const isBlank = (char: string | undefined) => char === ' ' || char === '\t' || char === '\r'

/** A text without the space of YAML around it. Other space is text. */
export function trimBlank(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text[from])) from++
  while (to > from && isBlank(text[to - 1])) to--
  return text.slice(from, to)
}

/**
 * A line without its comment. Where a text is wanted `#` needs a space behind it too: a model that writes `fix #12` or
 * `#fff` there means no comment.
 */
export function withoutComment(line: string, shape: Shape): string {
  const isText = (shape.kinds & Kind.string) !== 0 && !shape.values
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1)) {
    const isBehindSpace = at === 0 || isBlank(line[at - 1])
    if (isBehindSpace && (!isText || at + 1 === line.length || isBlank(line[at + 1])))
      return trimBlank(line.slice(0, at))
  }
  return line
}

/** True where a bracket begins a list or an object; false where the schema wants a text. */
export function mayHoldFlow(bracket: string, { kinds }: Shape): boolean {
  return !(kinds & Kind.string) || (kinds & (bracket === '[' ? Kind.array : Kind.object | Kind.array)) !== 0
}

const switches = new Map([
  ['yes', 'true'],
  ['on', 'true'],
  ['no', 'false'],
  ['off', 'false'],
])

/** YAML's other words for true, false and null, where the schema wants nothing else. */
function constantOf(text: string, { kinds }: Shape): string | undefined {
  if (text === '~' && kinds & Kind.null && kinds !== ANY_KIND) return 'null'
  return kinds & Kind.boolean && !(kinds & Kind.string) ? switches.get(text.toLowerCase()) : undefined
}

/** Whether a text is a close tag, with or without space before its end; undefined as long as it may become one. */
export function isCloseTag(text: string, closeTag: string): boolean | undefined {
  const stem = closeTag.slice(0, -1)
  if (stem.startsWith(text)) return undefined
  if (!text.startsWith(stem)) return false
  const rest = text.slice(stem.length)
  if (/^\s{0,8}>$/.test(rest)) return true
  return /^\s{1,8}$/.test(rest) ? undefined : false
}

const entry = /^(?:-(?:\s|$)|#|```|(?:"([^"]*)"|'([^']*)'|([^\s:<>"'`]+))\s*:(?:\s|$))/

/** Whether a line goes on with the arguments: by its indentation, as an entry that the tool has, or as the close tag. */
export function goesOn(line: string, indent: number, closeTag: string, names: readonly string[]): boolean {
  const bare = line.trimStart()
  if (bare === '') return false
  if (line.length - bare.length >= indent || bare.startsWith(closeTag)) return true
  const match = entry.exec(bare)
  const name = match?.[1] ?? match?.[2] ?? match?.[3]
  return match !== null && (name === undefined || names.length === 0 || names.includes(name))
}

/** Reads a line without quotes: a key, up to its colon, or a text. */
export interface PlainLine {
  read(char: string): void
  /** No more text comes. */
  end(): void
  /** `key`: a key was read. `line`: the line is over, and was none. `closed`: the close tag stands behind it. */
  status(): 'reading' | 'key' | 'line' | 'closed'
  /** The key or the line, without the space around it. */
  text(): string
}

export interface PlainLineOptions {
  readonly mayBeKey: boolean
  readonly closeTag: string
  /** A close tag may stand in the line. */
  readonly mayClose: boolean
}

export function createPlainLine({ mayBeKey, closeTag, mayClose }: PlainLineOptions): PlainLine {
  let text = ''
  let status: 'reading' | 'key' | 'line' | 'closed' = 'reading'
  let isKeyPossible = mayBeKey
  let previous = ''
  /** How much of the close tag the last characters are. */
  let tagChars = 0

  const finish = (result: 'key' | 'line' | 'closed', missingChars: number) => {
    status = result
    text = trimBlank(text.slice(0, text.length - missingChars))
  }
  /** A colon with a space behind it: what stands before it is a key, if it is not a comment. */
  const isKey = (missingChars: number) => {
    const name = trimBlank(text.slice(0, text.length - missingChars))
    isKeyPossible = withoutComment(name, silentShape) === name
    return isKeyPossible && name !== ''
  }
  const end = () => {
    if (isKeyPossible && previous === ':' && isKey(1)) finish('key', 1)
    else finish('line', 0)
  }
  return {
    read(char) {
      if (char === '\n') return end()
      text += char
      if (isKeyPossible && previous === ':' && isSpace(char) && isKey(2)) return finish('key', 2)
      previous = char
      tagChars = char === closeTag.charAt(tagChars) ? tagChars + 1 : char === '<' ? 1 : 0
      if (tagChars < closeTag.length) return
      tagChars = 0
      if (mayClose) finish('closed', closeTag.length)
    },
    end,
    status: () => status,
    text: () => text,
  }
}

/** So much of a line is enough to see whether it goes on with the arguments. */
const MAX_LOOK_CHARS = 256

/** Reads what follows a close tag that may be text, up to the end of the first line that is not blank. */
export interface LineLook {
  /** True once enough was read. */
  read(char: string): boolean
  /** All that was read, and the line of it that tells. */
  text(): string
  line(): string
}

export function createLineLook(beginning: string, closeTag: string, maxHeldChars: number): LineLook {
  let text = beginning
  let line = ''
  return {
    read(char) {
      text += char
      if (char !== '\n') line += char
      const bare = trimBlank(line)
      const isClear = bare === closeTag || line.length > MAX_LOOK_CHARS || (char === '\n' && bare !== '')
      if (char === '\n' && !isClear) line = ''
      return isClear || text.length > maxHeldChars
    },
    text: () => text,
    line: () => line,
  }
}

/** A scalar without quotes, of one line or several. */
export interface PlainScalar {
  /** It may go on in the next line. */
  isOpen(): boolean
  /** Puts the first line, or one more; before that one so many blank lines stand. */
  put(text: string, shape: Shape, blankLines: number): void
  end(): void
}

export function createPlainScalar({ put }: ArgumentWriter): PlainScalar {
  let isOpen = false
  return {
    isOpen: () => isOpen,
    put(text, shape, blankLines) {
      const constant = isOpen ? undefined : constantOf(text, shape)
      if (constant !== undefined) return put(Token.literal, constant)
      const gap = blankLines ? '\n'.repeat(blankLines) : ' '
      if (!isOpen) put(Token.beginRaw, '')
      put(Token.text, isOpen ? gap + text : text)
      isOpen = true
    },
    end() {
      if (isOpen) put(Token.endText, '')
      isOpen = false
    },
  }
}
