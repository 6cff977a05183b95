import { isQuote, isSpace, isWordPart, isWordStart } from '../characters.js'

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool in a line of
 * its own proves a call, and so do JSON and the close tag. Another key needs the close tag, or a known key, behind it.
 */
export interface YamlStart {
  read(char: string): void
  status(): 'open' | 'proven' | 'rejected'
  /** The text to read the arguments from. Lines without meaning before the first key are left out. */
  text(): string
  isJson(): boolean
  /** What was read so far looks more like a call than like prose. */
  isLikely(): boolean
}

/** Space in front of the arguments, or a line without meaning, that is longer than this is neither. */
const MAX_LEAD_CHARS = 4096
/** If so much looks like arguments, it is. */
const MAX_PROOF_CHARS = 2048

// Where it stands.
const LEAD = 0 //       <tool>|
const CLOSE = 1 //      <tool></to|ol>
const SKIP = 2 //       <tool>\n# com|ment
const BRACE = 3 //      <tool>{| "a": 1}
const KEY = 4 //        <tool>\ncit|y: Paris
const COLON = 5 //      <tool>\ncity:| Paris
const QUOTED = 6 //     <tool>\n"ci|ty": Paris
const AFTER_KEY = 7 //  <tool>\n"city"|: Paris
const LINES = 8 //      <tool>\nnote: |…
const PROVEN = 9
const REJECTED = 10

const skipped = /^(?:#.*|---(?:\s.*)?|```\w*\s*)$/s
const entry = /^[ \t]*(?:(["'])([^"'\n]*)\1|([^\s:"'<>`]+))\s*:(?:\s|$)/
/** What may stand at the beginning of a line of arguments besides an entry. */
const otherLine = /^[ \t]*(?:[-#}\])]|```|["'])/

export function createYamlStart(closeTag: string, names: readonly string[]): YamlStart {
  let state = LEAD
  let text = ''
  /** A line break stands between the open tag and the first key. */
  let isOwnLine = false
  let isJson = false
  /** The key, the line without meaning or the close tag that is being read. */
  let word = ''
  /** The quote around the key, if there is one. */
  let quote = ''
  let isEscaped = false
  let indent = 0
  /** The line being read, and how much of a close tag its end is. */
  let line = ''
  let tagChars = 0
  let isFirstLine = true

  const readLead = (char: string) => {
    word = char
    if (char === '\n') {
      isOwnLine = true
      indent = 0
    } else if (isSpace(char)) indent++
    else if (char === '<') state = CLOSE
    else if (char === '{') state = BRACE
    else if (isOwnLine && (char === '#' || char === '-' || char === '`')) state = SKIP
    else if (isQuote(char)) {
      quote = char
      state = QUOTED
    } else state = isWordStart(char) || /\d/.test(char) ? KEY : REJECTED
    if (text.length > MAX_LEAD_CHARS) state = REJECTED
  }
  const readClose = (char: string) => {
    word += char
    if (word === closeTag) state = PROVEN
    else if (!closeTag.startsWith(word)) state = REJECTED
  }
  const readSkip = (char: string) => {
    if (char !== '\n') {
      word += char
      if (text.length > MAX_LEAD_CHARS || word.startsWith('- ')) state = REJECTED
      return
    }
    state = skipped.test(word) ? LEAD : REJECTED
    text = '\n'
    indent = 0
  }
  const readBrace = (char: string) => {
    isJson = true
    if (isSpace(char) && text.length < MAX_LEAD_CHARS) return
    if (isQuote(char) || char === '}') state = PROVEN
    else state = isWordStart(char) ? LINES : REJECTED
  }
  const isKnown = (name: string) => names.includes(name)
  const endKey = (name: string) => {
    line = ''
    if (isOwnLine && isKnown(name)) state = PROVEN
    else state = isOwnLine || isKnown(name) ? LINES : REJECTED
  }
  const readKey = (char: string) => {
    if (char === ':') {
      state = COLON
      return
    }
    word += char
    // A key may hold space, if it is the tool's.
    const isName = isWordPart(char) || char === '/' || names.some(name => name.startsWith(word))
    if (!isName) state = isSpace(char) && char !== '\n' ? AFTER_KEY : REJECTED
  }
  const readAfterKey = (char: string) => {
    if (char === ':') state = COLON
    else if (!isSpace(char) || char === '\n') state = REJECTED
  }
  const readColon = (char: string) => {
    if (isSpace(char) || quote) endKey(quote ? word.slice(1, -1) : word.trimEnd())
    else state = REJECTED
  }
  const readQuoted = (char: string) => {
    word += char
    if (char === '\n') state = REJECTED
    else if (isEscaped) isEscaped = false
    else if (char === '\\') isEscaped = true
    else if (char === quote) state = AFTER_KEY
  }
  /** Looks for a proof, or for a line that can be no argument. */
  const readLines = (char: string) => {
    tagChars = char === closeTag.charAt(tagChars) ? tagChars + 1 : char === '<' ? 1 : 0
    if (tagChars === closeTag.length) state = PROVEN
    else if (text.length > MAX_PROOF_CHARS) state = isOwnLine && !isJson ? PROVEN : REJECTED
    else if (char !== '\n') line += char
    else {
      if (!isJson) judgeLine()
      line = ''
      isFirstLine = false
    }
  }
  const judgeLine = () => {
    const bare = line.trimStart()
    if (isFirstLine || bare === '') return
    const match = entry.exec(line)
    const name = match?.[2] ?? match?.[3]
    if (name !== undefined && isKnown(name)) state = PROVEN
    else if (name === undefined && !otherLine.test(line) && line.length - bare.length <= (isOwnLine ? indent : 0)) {
      state = REJECTED
    }
  }

  return {
    read(char) {
      text += char
      if (state === LEAD) readLead(char)
      else if (state === CLOSE) readClose(char)
      else if (state === SKIP) readSkip(char)
      else if (state === BRACE) readBrace(char)
      else if (state === KEY) readKey(char)
      else if (state === COLON) readColon(char)
      else if (state === QUOTED) readQuoted(char)
      else if (state === AFTER_KEY) readAfterKey(char)
      else readLines(char)
    },
    status: () => (state === PROVEN ? 'proven' : state === REJECTED ? 'rejected' : 'open'),
    text: () => text,
    isJson: () => isJson,
    isLikely: () => isOwnLine && (state === QUOTED || state === AFTER_KEY || state === COLON || state === LINES),
  }
}
