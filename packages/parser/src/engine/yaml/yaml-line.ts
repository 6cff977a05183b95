import { jsonEscapes, unescaped } from '../string-escape.js'

/** Where in a line its text begins. */
export const columnOf = (line: string) => line.search(/\S|$/)

/** The borders of a document, and a fence around it. */
const border = /^(?:---(?:\s.*)?|\.\.\.|```\w*)$/

/** True for a line that means nothing between arguments. */
export const isIdle = (text: string) => text === '' || text.startsWith('#') || border.test(text)

/** What line breaks stand for where lines are folded: one is a space, and the first of several means nothing. */
export const foldedBreaks = (breaks: number) => '\n'.repeat(breaks - 1) || ' '

/** A line break with the space around it, and an escape. Space is looked at once, from its beginning on. */
const doubleMarks = /(?<!\s)\s*\n\s*|\\(?:\n\s*|x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)/g
const singleMarks = /(?<!\s)\s*\n\s*|''/g
const escapes = { ...jsonEscapes, whole: /\\(?:(x..|u....)|.)/g }

/** What a text in quotes stands for. Lines are folded. */
export function unquoted(source: string, quote: string): string {
  return source.replace(quote === '"' ? doubleMarks : singleMarks, mark => {
    if (mark.startsWith('\\\n')) return ''
    if (mark.includes('\n')) return foldedBreaks(mark.split('\n').length - 1)
    return mark === "''" ? "'" : unescaped(mark, escapes)
  })
}

const quotedKey = /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)')\s*:/

const word = /^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u

/** The key with which a text begins, and where it ends: behind a colon, which needs a space unless the key is in quotes. */
export function findKey(text: string) {
  const [quoted, double, single = ''] = quotedKey.exec(text) ?? []
  if (quoted) return { name: unquoted(double ?? single, text.charAt(0)), end: quoted.length, isWord: true }
  const [plain, name = ''] = /^([^"'#\s](?:(?!\s#).)*?)\s*:(?=\s|$)/.exec(text) ?? []
  // Several words may well be prose.
  return plain ? { name, end: plain.length, isWord: word.test(name) } : undefined
}
