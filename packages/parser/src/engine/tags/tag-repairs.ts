import type { RepairCode } from '../repairs.js'
import { isOneEditAway, nearLengths } from '../text/edit-distance.js'

// What is judged about a raw value (decision 75). Values quote markup of all kinds, so only their
// edges and the text right after a close mark count, never what else they contain.

/** What is kept of a raw value while it is read. */
export interface ValueEdges {
  /** `</parameter>` */
  readonly close: string
  /** `<parameter`: the beginning of any tag that the close mark may close. */
  readonly openStart: string
  /** The first characters of the value. */
  head: string
  /** The last characters so far. */
  tail: string
  /** The value contains a tag that its close mark may close: `<parameter name="x">`. */
  hadOpen: boolean
  /** The text from a close mark on that was read as text; undefined if there was none. */
  afterClose: string | undefined
  /** The value contains its own close mark and then almost another argument. */
  hadArgument: boolean
  /** The value contains its own close mark, and no tag that it may close. */
  hadClose: boolean
}

/** How much of a value is kept. */
const EDGE_CHARS = 64
/** How much of the text after a close mark is kept. */
const AFTER_CLOSE_CHARS = 192

export const createValueEdges = (close: string): ValueEdges => ({
  close,
  openStart: close.replace('/', '').slice(0, -1),
  head: '',
  tail: '',
  hadOpen: false,
  afterClose: undefined,
  hadArgument: false,
  hadClose: false,
})

/** Keeps the edges of a value that comes in pieces. */
export function watchPiece(edges: ValueEdges, piece: string): void {
  const { openStart, head, tail, afterClose } = edges
  if (!edges.hadOpen) {
    const seam = tail.slice(1 - openStart.length) + piece.slice(0, openStart.length - 1)
    edges.hadOpen = seam.includes(openStart) || piece.includes(openStart)
  }
  if (head.length < EDGE_CHARS) edges.head += piece.slice(0, EDGE_CHARS - head.length)
  edges.tail = (tail + piece.slice(-EDGE_CHARS)).slice(-EDGE_CHARS)
  if (afterClose !== undefined && afterClose.length < AFTER_CLOSE_CHARS) {
    edges.afterClose += piece.slice(0, AFTER_CLOSE_CHARS - afterClose.length)
  }
}

/** `New York|</parameter>\np<arameter=days>` A close mark is read as text. */
export function watchClose(edges: ValueEdges, openTags: () => readonly string[]): void {
  judgeAfterClose(edges, openTags)
  if (!edges.hadOpen) edges.hadClose = true
  edges.afterClose = ''
}

/** Looks at the text after the close mark that was read as text last. */
export function judgeAfterClose(edges: ValueEdges, openTags: () => readonly string[]): void {
  const { close, afterClose } = edges
  edges.afterClose = undefined
  if (afterClose === undefined || edges.hadArgument) return
  const after = afterClose.slice(close.length).trimStart()
  edges.hadArgument = openTags().some(tag => startsAlmostWith(after, tag))
}

/** True for a text that begins with a damaged mark: `<parametre=days>` for `<parameter=days>`. */
export const startsAlmostWith = (text: string, mark: string) =>
  !text.startsWith(mark) &&
  nearLengths(mark).some(length => isOneEditAway(text.slice(0, length), mark))

/** True for a text that ends with a damaged mark: `Paris</paramter>`. */
export const endsAlmostWith = (text: string, mark: string) =>
  !text.endsWith(mark) && nearLengths(mark).some(length => isOneEditAway(text.slice(-length), mark))

/** Tells whether a value begins or ends with a damaged mark. `tag` is the tag that opens it. */
export function isDamagedAtEdge(
  { close, head, tail, hadOpen }: ValueEdges,
  tag: string | undefined,
): boolean {
  // `Paris\n</praameter>|`, but not `<parameters>…</parameters>|`
  if (!hadOpen && endsAlmostWith(tail.trimEnd(), close)) return true
  // `</arg_key>|<arg_valeu>Paris`
  return tag !== undefined && startsAlmostWith(head.trimStart(), tag)
}

/** Returns the repairs and the doubts of a value that has been read. */
export function findValueRepairs(edges: ValueEdges, tag: string | undefined): RepairCode[] {
  const { hadArgument, hadClose } = edges
  const found: RepairCode[] = []
  if (hadArgument) found.push('argument-in-value')
  else if (hadClose) found.push('close-in-text')
  if (isDamagedAtEdge(edges, tag)) found.push('markup-at-edge')
  return found
}
