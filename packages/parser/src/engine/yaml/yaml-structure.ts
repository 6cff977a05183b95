import type { ArgumentWriter } from '../argument-writer.js'
import { Kind } from '../shape.js'
import { Token } from '../value-token.js'

/** Only their first line tells where the lines of the arguments begin. */
const UNKNOWN = -1
/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512

export type YamlStructure = ReturnType<typeof createYamlStructure>

/** The mappings and lists that are open, and the places in a line at which their lines begin. The first is that of the arguments. */
export function createYamlStructure({ put, expected }: ArgumentWriter) {
  const frames: { readonly isMapping: boolean; indent: number }[] = []
  /** A key or a dash was read, and its value was not. */
  let isPending = false
  let error = ''

  const fail = (message: string) => {
    error ||= message
  }
  const top = () => frames.at(-1)
  const indent = () => top()?.indent ?? UNKNOWN
  const isMapping = () => top()?.isMapping === true
  const push = (isObject: boolean, column: number) => {
    if (frames.length === MAX_DEPTH) fail(`nested deeper than ${MAX_DEPTH} levels`)
    isPending = false
    frames.push({ isMapping: isObject, indent: column })
    put(isObject ? Token.beginObject : Token.beginArray, '')
  }
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const putMissing = () => {
    const { kinds } = expected()
    if (!isPending) return
    isPending = false
    if (kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))) return put(Token.literal, 'null')
    put(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '')
    put(Token.endText, '')
  }
  const pop = () => {
    putMissing()
    put(frames.pop()?.isMapping ? Token.endObject : Token.endArray, '')
  }
  push(true, UNKNOWN)

  return {
    /** Where the lines of the innermost one begin. */
    indent,
    isMapping,
    depth: () => frames.length,
    isPending: () => isPending,
    /** A key or a dash was read; or the value behind it begins. */
    setPending(isValueMissing: boolean) {
      isPending = isValueMissing
    },
    /** A line here is the value of the key or the dash above it. A list may stand below its key without being indented. */
    isValueAt: (column: number, isDash: boolean) =>
      isPending && (column > indent() || (isDash && isMapping() && column === indent())),
    /** Finds the mapping or the list whose entry stands here; those that it ends are closed. */
    place(column: number, isDash: boolean) {
      putMissing()
      while (frames.length > 1 && (indent() > column || (indent() === column && !isDash && !isMapping()))) pop()
      const frame = top()
      if (frame?.indent === UNKNOWN) frame.indent = column
      if (indent() !== column) fail('a line whose indentation fits nothing')
      else if (isMapping() === isDash) fail(isDash ? 'an item where a key should be' : 'an item without its dash')
    },
    push,
    pop,
    putMissing,
    /** Says why what was read cannot stand where it stands. */
    fail,
    error: () => error,
  }
}
