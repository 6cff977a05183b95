import { isQuote, isSpace } from '../characters.js'
import { entryName } from '../yaml/yaml-key.js'
import { border, skipBlank } from '../yaml/yaml-line.js'
import { readQuoted } from '../yaml/yaml-quoted.js'

/** If so much looks like arguments, it is. */
const MAX_PROOF_CHARS = 2048

/** What may become an entry, as far as it was read: quotes, JSON, or a word and its colon. */
const entryStart = /^(?:["'{]|[\p{L}\p{N}_$][\p{L}\p{N}_$./-]{0,127}\s*(?::|$))/u
/** What may stand at the beginning of a line of arguments besides an entry. */
const otherLine = /^[-}\])"']/
const jsonStart = /^\{\s*(?:["'}]|[\w$.-]+\s*:)/

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool proves a call, and
 * so do JSON and the close tag. Another key needs the close tag, or a known key, behind it.
 */
export function createYamlStart(closeTag: string, names: readonly string[]) {
  let status: 'open' | 'yaml' | 'json' | 'rejected' = 'open'
  let text = ''
  /** The line being read, behind the space at its beginning; of JSON all from the first bracket on. */
  let line = ''
  let indent = 0
  let isTagLine = true
  /** Where in its line the first entry stands. */
  let entryIndent: number | undefined

  const settle = (isCall: boolean) => {
    status = isCall ? 'yaml' : 'rejected'
  }
  const mayBeEntry = () =>
    entryStart.test(line) ||
    closeTag.startsWith(line) ||
    (!isTagLine && /^[-#`.]/.test(line)) ||
    names.some(name => name.startsWith(line) || line.startsWith(name))
  /** Judges a line that is over. */
  const judge = () => {
    const content = line.trimEnd()
    const name = entryName(content, names)
    if (content === '' || (!isTagLine && (content.startsWith('#') || border.test(content)))) return
    if (name !== undefined && names.includes(name)) settle(true)
    else if (entryIndent === undefined) {
      if (name === undefined || isTagLine) settle(false)
      else entryIndent = indent
    } else if (name === undefined && !otherLine.test(content) && indent <= entryIndent) settle(false)
  }
  /** A key in quotes may hold the close tag. */
  const isQuoteOpen = () => !isTagLine && isQuote(line.charAt(0)) && readQuoted(line, 1, line.charAt(0)).end < 0
  const readInLine = (char: string) => {
    line += char
    if (char === '>' && line.endsWith(closeTag) && !isQuoteOpen()) {
      line = line.slice(0, -closeTag.length)
      if (isTagLine) text = `${line}\n${closeTag}`
      judge()
      if (status === 'open') settle(true)
    } else if (entryIndent === undefined && !mayBeEntry()) settle(false)
  }
  const readJson = (char: string) => {
    line += char
    if (isSpace(char)) return
    if (jsonStart.test(line)) status = 'json'
    else if (!/[\w$.:-]/.test(char)) settle(false)
  }
  /** No more text comes, or no more is looked at. What was cut may have been a call, and what it quotes must not become one. */
  const end = (isCut: boolean) => {
    const isClosing = line !== '' && closeTag.startsWith(line)
    if (!isClosing) judge()
    if (status === 'open') settle((isCut || isClosing) && entryIndent !== undefined)
  }

  return {
    read(char: string) {
      text += char
      if (entryIndent === undefined && line.startsWith('{')) readJson(char)
      else if (char === '\n') {
        judge()
        line = ''
        indent = 0
        isTagLine = false
      } else if (line === '' && isSpace(char)) indent++
      else readInLine(char)
      if (status !== 'open' || text.length <= MAX_PROOF_CHARS) return
      // In the line of the open tag the close tag ends a call, wherever it stands; this one has none.
      if (isTagLine) settle(false)
      else end(true)
    },
    end,
    status: () => status,
    /** What was read; arguments in the line of the tags as if they stood in lines of their own. */
    text: () => (status === 'json' ? line : skipBlank(text)),
  }
}
