/**
 * The tools of a request by their names, as models write them (decision 84). A name may differ from
 * that of a tool in its case and in its signs `-`, `_` and `.`, and may have `functions.` in front.
 * The two underscores after a namespace may be one sign:
 *
 *     get_weather                  Get_Weather    functions.get_weather
 *     resolve-library-id, tides.at resolve_library_id, tides_at
 *     mcp__notes__read_note        mcp__notes.read_note
 *
 * It is prepared when it is first asked, in a time that is linear in the number of tools.
 */
export interface ToolLookup {
  /** The names of the tools. */
  readonly names: readonly string[]
  /** Returns the tool that a name means; undefined if no tool fits, or several do. */
  find(written: string): string | undefined
  /**
   * Returns the tool that a call with this name calls. The namespace of the tool may be missing:
   * `read_note` calls `mcp__notes__read_note`. This does not prove that a text is a call.
   */
  findCalled(written: string): string | undefined
  /** True if a name may begin so, or is that. */
  mayBegin(written: string): boolean
  /**
   * Looks for names that begin at a place of a text. Only their case and their signs may differ:
   * `functions.` in front, and one sign in place of two underscores, are not looked for.
   */
  matchAt(text: string, at: number): NameMatch
  /** Returns the characters with which a name may begin. */
  firstChars(): readonly string[]
}

/** The names that begin at a place of a text. */
export interface NameMatch {
  /** Those that are there, as they are written, the shortest first. */
  readonly written: readonly string[]
  /** `get_we|` The text ends inside a name: that name, of which the rest may come. */
  readonly begun: string | undefined
}

/** `functions.get_weather`: models are told this namespace, and write it elsewhere too. */
const topLevel = /^functions[-_.]/i

/** `mcp__notes__read_note`: the sign between a namespace and the name of a tool in it. */
const SEPARATOR = '__'

const signs = ['-', '_', '.']

export function createToolLookup(names: readonly string[]): ToolLookup {
  const declared = new Set(names)
  const namespaced = [...declared].filter(name => name.includes(SEPARATOR))
  const byFoldedName = once(() => groupTools(declared, foldName))
  const byJoinedName = once(() => groupTools(namespaced, joinSigns))
  const byLastPart = once(() => groupTools(namespaced, name => foldName(lastPart(name))))
  const sortedNames = once(() => [...byFoldedName().keys()].sort())
  const sortedJoinedNames = once(() => [...byJoinedName().keys()].sort())

  /** The tool of that name; null if several fit. */
  const resolve = (written: string) => {
    if (declared.has(written)) return written
    const tool = byFoldedName().get(foldName(written))
    return tool === undefined ? byJoinedName().get(joinSigns(written)) : tool
  }
  const find = (written: string): string | undefined => {
    if (declared.has(written)) return written
    const tool = resolve(written)
    const inside = withoutTopLevel(written)
    if (inside === written) return tool ?? undefined
    const toolInside = resolve(inside)
    const hasOne = tool === undefined || toolInside === undefined
    return hasOne ? (tool ?? toolInside ?? undefined) : undefined
  }
  const match = (text: string, at: number) => matchSorted(sortedNames(), text, at)
  return {
    names,
    find,
    findCalled(written) {
      const inside = withoutTopLevel(written)
      const fits = resolve(written) !== undefined || resolve(inside) !== undefined
      return fits ? find(written) : (byLastPart().get(foldName(inside)) ?? undefined)
    },
    mayBegin(written) {
      const { lengths, begun } = match(written, 0)
      if (begun !== undefined || lengths.includes(written.length)) return true
      const joined = joinSigns(written)
      const sorted = sortedJoinedNames()
      const at = lowerBound(sorted, 0, sorted.length, name => name >= joined)
      return sorted[at]?.startsWith(joined) ?? false
    },
    matchAt(text, at) {
      const { lengths, begun } = match(text, at)
      const written = lengths.map(length => text.slice(at, at + length))
      return {
        written: written.filter(each => find(each) !== undefined),
        begun: begun && text.slice(at) + begun.slice(Math.max(0, text.length - at)),
      }
    },
    firstChars() {
      const folded = new Set(names.filter(Boolean).map(name => foldChar(name.charAt(0))))
      return [...folded].flatMap(char => (char === '-' ? signs : [char, otherCase(char)]))
    },
  }
}

/** Prepares a value when it is first needed. */
function once<Value>(create: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => {
    made ??= { value: create() }
    return made.value
  }
}

/** The tools by one of their spellings; null if several have the same. */
function groupTools(
  names: Iterable<string>,
  spell: (name: string) => string,
): ReadonlyMap<string, string | null> {
  const tools = new Map<string, string | null>()
  for (const name of names) {
    const spelling = spell(name)
    if (spelling !== '') tools.set(spelling, tools.has(spelling) ? null : name)
  }
  return tools
}

/** `functions.get_weather` is `get_weather`. */
function withoutTopLevel(written: string): string {
  return written.replace(topLevel, '')
}

/** `mcp__notes.read_note` and `mcp__notes__read_note` are `mcp-notes-read-note`. */
function joinSigns(name: string): string {
  return foldName(name).replace(/-{2,}/g, '-')
}

/** `mcp__notes__read_note` is `read_note`. */
function lastPart(name: string): string {
  return name.slice(name.lastIndexOf(SEPARATOR) + SEPARATOR.length)
}

/** `Tides.At` is `tides-at`, without its case and signs. No character is added or dropped. */
export function foldName(name: string): string {
  const isAscii = /^[\0-\x7f]*$/.test(name)
  const lower = isAscii
    ? name.toLowerCase()
    : Array.from({ length: name.length }, (_, at) => foldChar(name.charAt(at))).join('')
  return lower.replace(/[_.]/g, '-')
}

/** The same for one character. `İ` is two characters in lower case, and is left as it is. */
function foldChar(char: string): string {
  if (char === '_' || char === '.') return '-'
  const lower = char.toLowerCase()
  return lower.length === char.length ? lower : char
}

function otherCase(char: string): string {
  const upper = char.toUpperCase()
  return upper.length === char.length ? upper : char
}

/**
 * Finds the names that begin at a place, character by character: those that still fit are next to
 * each other in the sorted list.
 */
function matchSorted(
  sorted: readonly string[],
  text: string,
  at: number,
): { readonly lengths: readonly number[]; readonly begun: string | undefined } {
  const lengths: number[] = []
  let first = 0
  let end = sorted.length
  for (let length = 0; first < end; length++) {
    // The shortest of several names that begin alike is the first.
    const isComplete = sorted[first]?.length === length
    if (isComplete && length > 0) lengths.push(length)
    if (isComplete) first++
    if (at + length >= text.length)
      return { lengths, begun: first < end ? sorted[first] : undefined }
    const char = foldChar(text.charAt(at + length))
    first = lowerBound(sorted, first, end, name => name.charAt(length) >= char)
    end = lowerBound(sorted, first, end, name => name.charAt(length) > char)
  }
  return { lengths, begun: undefined }
}

/** The first place in a part of a sorted list from which on all names are such. */
function lowerBound(
  sorted: readonly string[],
  from: number,
  to: number,
  isSuch: (name: string) => boolean,
): number {
  let low = from
  let high = to
  while (low < high) {
    const middle = (low + high) >> 1
    if (isSuch(sorted[middle] ?? '')) high = middle
    else low = middle + 1
  }
  return low
}
