import { isQuote, isSpace, isWordStart } from '../characters.js'

/** Space in front of the arguments, or a line without meaning, that is longer than this is neither. */
const MAX_LEAD_CHARS = 4096
/** If so much looks like arguments, it is. */
const MAX_PROOF_CHARS = 2048

/** What may stand before the first key: comments, the beginning of a document, a fence. */
const skipped = /^(?:#.*|---(?:\s.*)?|```\w*\s*)$/s
const quotedKey = /^(["'])((?:\\.|(?!\1).)*)\1\s*:/s
const bareKey = /^([^:"'`<>]+?)[ \t\r]*:\s$/
const keyName = /^[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*$/u
const entry = /^[ \t]*(?:(["'])([^"'\n]*)\1|([^\s:"'<>`]+))\s*:(?:\s|$)/
/** What may stand at the beginning of a line of arguments besides an entry. */
const otherLine = /^[ \t]*(?:[-#}\])]|```|["'])/

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool in a line of
 * its own proves a call, and so do JSON and the close tag. Another key needs the close tag, or a known key, behind it.
 */
export function createYamlStart(closeTag: string, names: readonly string[]) {
  let status: 'open' | 'proven' | 'rejected' = 'open'
  let text = ''
  /** The line being read, behind the space at its beginning; behind the first key with that space. */
  let line = ''
  let indent = 0
  /** A line break stands between the open tag and the first key. */
  let isOwnLine = false
  let isJson = false
  let hasKey = false
  let isFirstLine = true

  const settle = (isProven: boolean) => {
    status = isProven ? 'proven' : 'rejected'
  }
  const readLead = (char: string) => {
    const previous = line.slice(-1)
    if (text.length > MAX_LEAD_CHARS) settle(false)
    else if (line === '' && char === '\n') {
      isOwnLine = true
      indent = 0
    } else if (line === '' && isSpace(char)) indent++
    else {
      line += char
      const first = line.charAt(0)
      if (first === '{') readBrace(char)
      else if (first === '<' && !closeTag.startsWith(line)) settle(false)
      else if (first === '<' && line === closeTag) settle(true)
      else if (isOwnLine && /[-#`]/.test(first)) readSkipped(char)
      else if (first !== '<') readKey(char, previous)
    }
  }
  const readBrace = (char: string) => {
    if (line === '{' || isSpace(char)) return
    isJson = true
    hasKey = isWordStart(char)
    if (!hasKey) settle(isQuote(char) || char === '}')
  }
  const readSkipped = (char: string) => {
    if (line.startsWith('- ') || (char === '\n' && !skipped.test(line.slice(0, -1)))) return settle(false)
    if (char !== '\n') return
    text = '\n'
    line = ''
    indent = 0
  }
  const readKey = (char: string, previous: string) => {
    const isQuoted = isQuote(line.charAt(0))
    if (previous === ':' || char === '\n') {
      const name = isQuoted ? quotedKey.exec(line)?.[2] : bareKey.exec(line)?.[1]
      if (name !== undefined && (isQuoted || keyName.test(name) || names.includes(name))) endKey(name)
      else if (!isQuoted || char === '\n') settle(false)
    } else if (isQuoted || isSpace(char) || char === ':') return
    // A key may hold space, if it is the tool's.
    else if ((previous === '' || isSpace(previous)) && !isName(line)) settle(false)
  }
  const isName = (beginning: string) => keyName.test(beginning) || names.some(name => name.startsWith(beginning))
  const endKey = (name: string) => {
    const isKnown = names.includes(name)
    line = ''
    hasKey = true
    if (isOwnLine && isKnown) settle(true)
    else if (!isOwnLine && !isKnown) settle(false)
  }
  /** Behind the first key: looks for a proof, or for a line that can be no argument. */
  const readLines = (char: string) => {
    if (char !== '\n') line += char
    if (char === '>' && line.endsWith(closeTag)) settle(true)
    else if (text.length > MAX_PROOF_CHARS) settle(isOwnLine && !isJson)
    else if (char === '\n') {
      if (!isJson && !isFirstLine && line.trim()) judgeLine()
      line = ''
      isFirstLine = false
    }
  }
  const judgeLine = () => {
    const match = entry.exec(line)
    const name = match?.[2] ?? match?.[3]
    const isIndented = line.length - line.trimStart().length > (isOwnLine ? indent : 0)
    if (name !== undefined && names.includes(name)) settle(true)
    else if (name === undefined && !otherLine.test(line) && !isIndented) settle(false)
  }

  return {
    read(char: string) {
      text += char
      if (hasKey) readLines(char)
      else readLead(char)
    },
    status: () => status,
    /** The text to read the arguments from. Lines without meaning before the first key are left out. */
    text: () => text,
    isJson: () => isJson,
    /** What was read so far looks more like a call than like prose. */
    isLikely: () => isOwnLine && (hasKey || /^(?:["']|[\p{L}\p{N}_$].*[ :]$)/su.test(line)),
  }
}
