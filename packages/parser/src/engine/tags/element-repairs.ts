import { type Cursor, noteRepair } from '../text/cursor.js'
import { attributesOf, type Tag } from './open-tag.js'

// What is recorded while elements are read (decision 75). Each function is called where the text is
// taken.

/**
 * The tags in the text of an element that belong to it or to the elements around it. A text may quote
 * such elements, and then it closes what it opens.
 */
export interface TextTags {
  readonly bracket: string
  /** The name of the element. */
  readonly name: string
  /** The names of the elements around it. */
  readonly outerNames: readonly string[]
  /** It is an item of a list, so that another element of that name may follow. */
  readonly isItem: boolean
  /** How many elements of a name are open in the text. */
  readonly openCounts: Map<string, number>
  /** The text contains the close tag of an element around it. */
  hadForeignClose: boolean
}

export const createTextTags = (
  bracket: string,
  name: string,
  outerNames: readonly string[],
  isItem: boolean,
): TextTags => ({
  bracket,
  name,
  outerNames,
  isItem,
  openCounts: new Map(),
  hadForeignClose: false,
})

/** The characters that may follow the name in an open tag. */
const nameEnds = ['>', ' ', '\n', '\t', '\r']

/** Returns the marks that open an element: `<path>`, `<path `. */
export const openMarksOf = (bracket: string, name: string) =>
  nameEnds.map(char => bracket + name + char)

/** Returns the marks of the elements around a text. */
export const outerMarksOf = ({ bracket, outerNames }: TextTags) =>
  outerNames.flatMap(name => [`${bracket}/${name}>`, ...openMarksOf(bracket, name)])

/** `Oslo</icty>…|</item>` Counts a tag that is read as text. */
export function watchTag(tags: TextTags, mark: string): void {
  const { bracket, name: ownName, outerNames, openCounts } = tags
  const isClose = mark.startsWith(`${bracket}/`)
  const name = mark.slice(bracket.length + (isClose ? 1 : 0), -1)
  if (name !== ownName && !outerNames.includes(name)) return
  const openCount = openCounts.get(name) ?? 0
  if (!isClose) openCounts.set(name, openCount + 1)
  else if (openCount > 0) openCounts.set(name, openCount - 1)
  else if (name !== ownName) tags.hadForeignClose = true
}

/** Records that a text goes beyond the end of its element, so that it contains other elements. */
export function noteTextTags(cursor: Cursor, tags: TextTags): void {
  const { name, isItem, openCounts, hadForeignClose } = tags
  // `<item><city>Oslo</icty>\n</item><item><city>Kyoto|</city>`
  if (hadForeignClose) noteRepair(cursor, 'foreign-close')
  // `<item>slow</tem><item>by train|</item>`
  else if (isItem && (openCounts.get(name) ?? 0) > 0) noteRepair(cursor, 'argument-in-value')
}

/** `<path lang="x">|`, `<get_weather city="a" city="b"|/>` Records attributes that are not read. */
export function noteAttributes(cursor: Cursor, tag: Tag, names: readonly string[]): void {
  if (tag.attributes === '') return
  const found = attributesOf(tag, names).map(([, name = '', value = '']) => ({ name, value }))
  const isOther = attributesOf(tag).length > found.length
  const isRepeated = found.some(({ name, value }) =>
    found.some(each => each.name === name && each.value !== value),
  )
  if (isOther) noteRepair(cursor, 'junk-in-tag')
  if (isRepeated) noteRepair(cursor, 'repeated-key')
}

/** `|offerta.docx</title>` Records an argument without its open tag, or with a damaged one. */
export function noteUntagged(cursor: Cursor, name: string, text: string): void {
  // `]<]mniimax[>[<city>Paris</city>`, `city>Paris</city>`, `<ctiy>Paris</city>`
  const hasTagPart = /^[\][]|[<>]/.test(text) || text.startsWith(name)
  noteRepair(cursor, hasTagPart ? 'missing-tag' : 'missing-open')
}
