import { noteRepair } from '../text/cursor.js'
import { columnOf } from './lines.js'
import type { Level, YamlState } from './yaml-state.js'

// What is recorded while YAML is read (decision 75). Each function is called where the text is taken.

/** A longer word is not looked at. */
const MAX_WORD_CHARS = 64

/**
 * `location: New Yorkunits: metric|` Records what a text without quotes contains although YAML needs
 * quotes there: a colon before whitespace, another item.
 */
export function notePlain(yaml: YamlState, text: string): void {
  const { cursor, writer } = yaml
  const keys = /:(?:\s|$)/.test(text) ? text.split(/\s+/).filter(isKeyLike) : []
  if (keys.some(key => endsWithExpectedKey(yaml, key.slice(0, -1)))) {
    noteRepair(cursor, 'key-in-value')
  } else if (keys.length > 0) noteRepair(cursor, 'bare-word')
  // `  - slow  - by train|`: a line break is missing.
  const isInList = text.includes('  - ') && (writer.path() ?? '').includes('[')
  if (isInList) noteRepair(cursor, 'item-in-value')
}

const isKeyLike = (word: string) => word.endsWith(':') && word.length <= MAX_WORD_CHARS

/** `Yorkunits`: ends with a key that the schema declares here or around, and that is missing. */
function endsWithExpectedKey({ writer }: YamlState, word: string): boolean {
  for (let levelsUp = 0; ; levelsUp++) {
    const takesAnyKey = writer.expectsKey('', levelsUp)
    if (takesAnyKey === undefined) return false
    const isExpected = (_: string, at: number) => writer.expectsKey(word.slice(at), levelsUp)
    if (!takesAnyKey && [...word].some(isExpected)) return true
  }
}

/** `"He said "hi" to me"|`, `"climate change" 2024|` A text that begins with quotes of its own. */
export function noteQuotedWords({ cursor }: YamlState, text: string): void {
  const quote = text.charAt(0)
  // `'it's fine'`: an apostrophe between letters is not a quote.
  const quotes = text.replace(/(?<=\p{L})'(?=\p{L})/gu, '').split(quote).length - 1
  noteRepair(cursor, quotes % 2 === 0 ? 'unescaped-quote' : 'doubtful-quote')
}

/** `  - slow\n|   by train` A line that continues an item, but begins before the item's text. */
export function noteContinuation(yaml: YamlState, entry: Level, line: string): void {
  const isLess = line.trim() !== '' && columnOf(line) < yaml.textColumn
  if (entry.isItem && isLess) noteRepair(yaml.cursor, 'odd-indent')
}
