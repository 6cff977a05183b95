import type { Cursor, Reading } from '../cursor.js'
import { skip } from '../marks.js'
import { border, columnOf, entryName, firstLine, MAX_AHEAD_CHARS, peek } from '../yaml/yaml-line.js'

/** What may become an entry, as far as it is there: quotes, JSON, or a word and its colon. */
const entryStart = /^(?:$|["'{]|[\p{L}\p{N}_$][\p{L}\p{N}_$./-]{0,127}\s*(?::|$))/u
/** What may stand at the beginning of a line of arguments besides an entry. */
const otherLine = /^[-}\])"']/
const jsonStart = /^\{\s*(?:["'}]|[\w$.-]+\s*:)/

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool proves a call, and
 * so do JSON and the close tag. Another key needs the close tag, or a known key, behind it. Takes only the space
 * behind the tag, and what stands before JSON.
 */
export function* readYamlStart(
  cursor: Cursor,
  closeTag: string,
  names: readonly string[],
): Reading<'yaml' | 'json' | undefined> {
  /** Where in its line the first entry stands. */
  let entryColumn: number | undefined
  let from = 0
  yield* skip(cursor, char => char === ' ')
  for (let isTagLine = true; from < MAX_AHEAD_CHARS; isTagLine = false) {
    const isFirst = entryColumn === undefined
    const isJson = (text: string) => isFirst && jsonStart.test(text)
    /** True for the beginning of a line that can be no entry, nor what may stand before the first. */
    const isProse = (text: string) =>
      isFirst && !entryStart.test(text) && !closeTag.startsWith(text) && (isTagLine || !/^[-#`.]/.test(text))
    const isClear = (text: string) => text.includes(closeTag) || isJson(text) || isProse(text)
    const ahead = yield* peek(cursor, each => each.includes('\n') || isClear(each.trim()), from)
    const line = firstLine(ahead)
    const column = columnOf(line)
    const [beginning = ''] = line.split(closeTag, 1)
    const text = beginning.trim()
    const name = entryName(text)
    if (isJson(text) || (isFirst && text === '{')) {
      cursor.at += from + column
      return 'json'
    }
    if (isProse(text)) return undefined
    if (name !== undefined && names.includes(name)) return 'yaml'
    /** The end of the text may have cut the close tag. */
    const isBegun = closeTag.startsWith(text)
    if (!isBegun && (isTagLine || !(text.startsWith('#') || border.test(text)))) {
      if (isFirst && (isTagLine || name === undefined)) return undefined
      if (name === undefined && !otherLine.test(text) && column <= (entryColumn ?? column)) return undefined
      entryColumn ??= column
    }
    if (beginning.length < line.length) return 'yaml'
    if (cursor.isOver && line.length === ahead.length)
      return entryColumn !== undefined && (cursor.isCut || (isBegun && text !== '')) ? 'yaml' : undefined
    from += line.length + 1
  }
  return entryColumn === undefined ? undefined : 'yaml'
}
