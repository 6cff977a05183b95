import { putText } from '../bodies/comma-list.js'
import { isQuote, isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { createMarkSearch, readNextMark, readUpTo } from '../marks.js'
import { Token, type ValueSink } from '../value-token.js'
import { readQuoted } from './read-quoted.js'

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512

const lineEnd = createMarkSearch(['\n'])
const wordEnd = createMarkSearch([',', ']', '}', '\n', ' # '])
const keyEnd = createMarkSearch([',', ']', '}', '\n', ':'])

/**
 * Reads a list or an object in brackets, from the first bracket to behind the last: JSON in which quotes and commas may be missing, and
 * `# ` begins a comment. False if it is not whole; the cursor is then before what cannot stand where it does.
 */
export function* readFlow(cursor: Cursor, put: ValueSink, closeTag: string, maxChars: number): Reading<boolean> {
  const closers: string[] = []
  /** The key of an entry was read, and its value was not. */
  let hasKey = false
  do {
    const mark = yield* readNextMark(cursor, ['# ', closeTag], char => isSpace(char) || (char === ',' && !hasKey))
    if (mark === '# ') {
      yield* readUpTo(cursor, lineEnd, maxChars)
      continue
    }
    cursor.at -= mark.length
    const char = cursor.text.charAt(cursor.at)
    const closer = closers.at(-1)
    const isKey: boolean = closer === '}' && !hasKey
    if (char === closer) {
      if (hasKey) put(Token.literal, 'null')
      put(char === '}' ? Token.endObject : Token.endArray, '')
      closers.pop()
      cursor.at++
      hasKey = false
    } else if (!isKey && (char === '{' || char === '[') && closers.length < MAX_DEPTH) {
      put(char === '{' ? Token.beginObject : Token.beginArray, '')
      closers.push(char === '{' ? '}' : ']')
      cursor.at++
      hasKey = false
    } else if (mark || char === '' || '[]{}:'.includes(char)) return false
    else {
      const quoted = isQuote(char) ? yield* readQuoted(cursor, closeTag, maxChars) : undefined
      const text = quoted?.text ?? (yield* readUpTo(cursor, isKey ? keyEnd : wordEnd, maxChars)).trim()
      if (isKey) put(Token.key, text)
      else if (quoted) putText(Token.beginQuoted, text, put)
      else put(Token.literal, text || 'null')
      if (quoted?.isWhole === false || (isKey && !(yield* readNextMark(cursor, [':'])))) return false
      hasKey = isKey
    }
  } while (closers.length)
  return true
}
