import { jsonEscapes, unescaped } from '../json/string-escape.js'
import { JsonType, type Shape } from '../values/shape.js'

// What one line of YAML is: `key: value`, `- item`, `# comment`, `---`. All functions here are pure.

/** Returns the column in which the text of a line begins. */
export const columnOf = (line: string) => line.search(/\S|$/)

/** `---`, `--- # arguments`, `...`, "```yaml" */
const borderOrFence = /^(?:---(?:\s.*)?|\.\.\.|```\w*)$/

/**
 * True for a line that means nothing between arguments: a blank line, a comment, the border of a
 * document, a fence around it.
 */
export const isIgnorableLine = (text: string) =>
  text === '' || text.startsWith('#') || borderOrFence.test(text)

/** True for an item of a list: `- a`, or `-` with its value in the next line. */
export const isDash = (text: string) => /^-(?:\s|$)/.test(text)

export const startsWithCloseTag = (line: string, closeTag: string) =>
  line.trimStart().startsWith(closeTag)

/** True for the beginning of the close tag, `</sear`, and for a blank line. */
export const isPartialCloseTag = (line: string, closeTag: string) =>
  closeTag.startsWith(line.trim())

/** Returns the name of the tag with which a text begins; '' without one. */
export const findTagName = (text: string) => /^<([^\s/>]*)/.exec(text)?.[1] ?? ''

/** `"a \"b\"":` or `'a'  :` */
const quotedKey = /^(["'])((?:(?!\1)[^\\]|\\.)*)\1\s*:/
/** `city:`, `two words:`; not `https://a`, and not `a # comment:` */
const plainKey = /^([^"'#\s](?:(?!\s#).)*?):(?=\s|$)/
const word = /^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u

export interface Key {
  readonly name: string
  /** Where the key ends, after its colon. */
  readonly end: number
  /** `city` or a key in quotes. Several words may be prose: `My plan: …`. */
  readonly isWord: boolean
}

/**
 * Finds the key with which a text begins. After the colon there must be whitespace, unless the key
 * is in quotes.
 */
export function findKey(text: string): Key | undefined {
  const quoted = quotedKey.exec(text)
  if (quoted) {
    const [whole, quote = '', source = ''] = quoted
    return { name: unquote(source, quote), end: whole.length, isWord: true }
  }
  const plain = plainKey.exec(text)
  if (!plain) return undefined
  const [whole, written = ''] = plain
  const name = written.trimEnd()
  return { name, end: whole.length, isWord: word.test(name) }
}

/** True for a line that is an item, an argument or the close tag, and so does not continue a text. */
export function isEntry(line: string, closeTag: string): boolean {
  const text = line.trim()
  if (isDash(text) || startsWithCloseTag(text, closeTag)) return true
  return findKey(text)?.isWord === true
}

/** YAML also has `\x41`. */
const escapes = { ...jsonEscapes, whole: /\\(?:(x[\da-fA-F]{2}|u[\da-fA-F]{4})|.)/gs }

/** Returns the text that is meant by what is between two quotes: `it''s` in single ones is `it's`. */
export const unquote = (source: string, quote: string) =>
  quote === '"' ? unescaped(source, escapes) : source.replaceAll("''", "'")

/**
 * Removes a comment from a line. Where a text is expected `#` needs whitespace after it too: in
 * `fix #12` and `color: #fff` it is part of the text.
 */
export function withoutComment(line: string, { types, values }: Shape): string {
  const isText = (types & JsonType.string) !== 0 && !values
  const at = line.search(isText ? /(?<!\S)#(?!\S)/ : /(?<!\S)#/)
  return at < 0 ? line : line.slice(0, at).trim()
}
