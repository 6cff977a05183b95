import type { RepairCode } from '../repairs.js'
import { isOneEditAway, nearLengths } from '../text/edit-distance.js'

// What is judged about a raw value (decision 75). Values quote markup of all kinds, so only their
// edges and the text right after a close mark count, never what else they contain.

/** The line breaks around a raw value that is written as a block. */
interface Layout {
  /** A line break comes after the open tag. */
  readonly isBlock: boolean
}

/** What is kept of a raw value while it is read. */
export interface ValueEdges {
  /** `</parameter>` */
  readonly close: string
  /** `<parameter`: the beginning of any tag that the close mark may close. */
  readonly openStart: string
  /** `</parameter<>`: the close mark, whose last sign is swapped with the first of the next mark. */
  readonly crossedClose: string
  /** The layout that the format writes around each value; undefined if it writes none. */
  readonly layout: Layout | undefined
  /** The tag of its own that opens a value is missing: `</arg_key>|Paris</arg_value>`. */
  readonly lacksTag: boolean
  /** The first characters of the value, without the line break after the open tag. */
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

export const createValueEdges = (
  close: string,
  openStart: string,
  layout?: Layout,
  lacksTag = false,
): ValueEdges => ({
  close,
  layout,
  lacksTag,
  openStart,
  crossedClose: `${close.slice(0, -1)}<>`,
  head: '',
  tail: '',
  hadOpen: false,
  afterClose: undefined,
  hadArgument: false,
  hadClose: false,
})

/** Keeps the edges of a value that comes in pieces. */
export function watchPiece(edges: ValueEdges, piece: string): void {
  const { openStart, crossedClose, head, tail, afterClose } = edges
  edges.hadOpen ||= contains(tail, piece, openStart)
  // `Paris</parameter<>parameter=days>3`: both marks are damaged.
  edges.hadArgument ||= contains(tail, piece, crossedClose)
  if (head.length < EDGE_CHARS) edges.head += piece.slice(0, EDGE_CHARS - head.length)
  edges.tail = (tail + piece.slice(-EDGE_CHARS)).slice(-EDGE_CHARS)
  if (afterClose !== undefined && afterClose.length < AFTER_CLOSE_CHARS) {
    edges.afterClose += piece.slice(0, AFTER_CLOSE_CHARS - afterClose.length)
  }
}

/** True if a text is in a piece, or begins in the text before the piece. */
function contains(before: string, piece: string, text: string): boolean {
  // Where a piece ends must make no difference, so a longer text is not looked for.
  if (text.length > EDGE_CHARS) return false
  const seam = before.slice(1 - text.length) + piece.slice(0, text.length - 1)
  return seam.includes(text) || piece.includes(text)
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

/** `Paris<|</parameter>`, `Paris]|]<]minimax[>[</city>` The close mark begins with its sign twice. */
function endsWithSign({ head, tail, close }: ValueEdges): boolean {
  if (close.startsWith('<')) return /[^\s<]<$/.test(tail)
  // `a[1]|]<]minimax[>[</city>`: this bracket closes another.
  const isPaired = head.length === EDGE_CHARS || head.includes('[')
  return close.startsWith(']') && !isPaired && /[^\s\]]\]$/.test(tail)
}

/**
 * `<city>>|Paris` The open tag ends with its sign twice. Long texts and those of several lines may
 * begin with it, such as a quotation.
 */
const startsWithSign = ({ head, close }: ValueEdges) =>
  close.endsWith('>') && head.length < EDGE_CHARS && /^>[\p{L}_./][^\n]*$/u.test(head)

/** Tells whether a value begins or ends with a damaged mark. `tag` is the tag that opens it. */
export function isDamagedAtEdge(edges: ValueEdges, tag: string | undefined): boolean {
  const { close, head, tail, hadOpen } = edges
  // `Paris\n</praameter>|`, but not `<parameters>…</parameters>|`
  if (!hadOpen && endsAlmostWith(tail.trimEnd(), close)) return true
  // `Paris<|</parameter>`, `<city>>|Paris`
  if (!hadOpen && (endsWithSign(edges) || startsWithSign(edges))) return true
  // `</arg_key>|<arg_valeu>Paris`
  return tag !== undefined && startsAlmostWith(head.trimStart(), tag)
}

/** A sign in a line of its own. Code ends with a line `}` and begins with a line `{` or `#`. */
const SIGN = '[\\p{L}\\p{N}<>/=_"]'
const signLineAtStart = new RegExp(`^${SIGN}[ \\t]*\\n\\s*\\S`, 'u')
const signLineAtEnd = new RegExp(`\\n[ \\t]*${SIGN}$`, 'u')

/**
 * Tells whether a sign is in the place of a line break that the format writes (decision 75).
 */
export function isDamagedLayout({ head, tail, layout }: ValueEdges): boolean {
  if (!layout) return false
  // `<parameter=city>>\nParis\n</parameter>`
  if (!layout.isBlock) return signLineAtStart.test(head)
  // `<parameter=city>\nParis\np</parameter>`
  return signLineAtEnd.test(tail)
}

/** Returns the repairs and the doubts of a value that has been read. */
export function findValueRepairs(edges: ValueEdges, tag: string | undefined): RepairCode[] {
  const { hadArgument, hadClose, hadOpen, lacksTag } = edges
  const found: RepairCode[] = []
  if (hadArgument) found.push('argument-in-value')
  else if (hadClose) found.push('close-in-text')
  if (isDamagedAtEdge(edges, tag) || isDamagedLayout(edges)) found.push('markup-at-edge')
  // `</arg_key>>\n<arg_value>Paris</arg_value>`: the tag comes later, so there is text before it.
  if (lacksTag) found.push(hadOpen ? 'missing-tag' : 'missing-open')
  return found
}
