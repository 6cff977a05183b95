import { type Cursor, noteRepair } from './text/cursor.js'

// Close tags with a space too many (decision 86): `</city >`, `</ city>`.

const closeTag = /<\/[^\s<>]+>$/

/** Returns the mark, and if it is a close tag the ways to write it with a space. */
export function withSpacedTags(mark: string): string[] {
  const found = closeTag.exec(mark)
  if (!found) return [mark]
  const [before, name] = [mark.slice(0, found.index), mark.slice(found.index + 2, -1)]
  return [mark, `${before}</${name} >`, `${before}</ ${name}>`, `${before}</ ${name} >`]
}

/** `</city >`, but not `</city>` */
export const isSpacedTag = (mark: string) => mark.includes('</') && /\s/.test(mark)

/** `</city>` for `</ city >`. A mark that is no such tag is returned as it is. */
export const withoutTagSpaces = (mark: string) =>
  isSpacedTag(mark) ? mark.replaceAll(' ', '') : mark

/** `</city >|` Records the space in a mark that was taken, and returns the mark without it. */
export function noteSpacedTag(cursor: Cursor, written: string): string {
  const mark = withoutTagSpaces(written)
  if (mark !== written) noteRepair(cursor, 'space-in-tag', written.length)
  return mark
}
