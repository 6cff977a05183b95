import type { ArgumentWriter } from '../argument-writer.js'
import { Kind } from '../shape.js'
import { Token } from '../value-token.js'

/** Arguments that were given in another way, before the YAML. */
export type GivenArguments = readonly (readonly [key: string, text: string])[]

/** Nesting beyond this is refused, as it is in JSON. */
export const MAX_DEPTH = 512
/** The place of the arguments in their line, as long as they stand in the line of the open tag. */
export const TAG_LINE = -1

/** The mappings and lists that are open, and the places in a line at which their lines begin. */
export function createYamlStructure({ put, expected, isWhole }: ArgumentWriter, given: GivenArguments) {
  const frames: { readonly isMapping: boolean; indent: number }[] = []
  /** A key or a dash was read, and its value was not. */
  let isPending = false
  let error = ''

  const top = () => frames.at(-1)
  const indent = () => top()?.indent ?? TAG_LINE
  const push = (isMapping: boolean, column: number) => {
    if (frames.length === MAX_DEPTH) error = `nested deeper than ${MAX_DEPTH} levels`
    isPending = false
    frames.push({ isMapping, indent: column })
    put(isMapping ? Token.beginObject : Token.beginArray, '')
  }
  const pop = () => put(frames.pop()?.isMapping ? Token.endObject : Token.endArray, '')
  const putText = (begin: Token, text: string) => {
    put(begin, '')
    if (text) put(Token.text, text)
    put(Token.endText, '')
  }
  const pushRoot = (column: number) => {
    push(true, column)
    for (const [name, text] of given) {
      put(Token.key, name)
      putText(Token.beginRaw, text)
    }
  }
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const putEmpty = () => {
    const { kinds } = expected()
    isPending = false
    if (kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))) put(Token.literal, 'null')
    else putText(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '')
  }
  /** A line here is the value of the key or the dash above it. A list may stand below its key without being indented. */
  const isValueAt = (column: number, isDash = false) =>
    isPending && (column > indent() || (isDash && top()?.isMapping === true && column === indent()))

  return {
    /** Where the lines of the innermost one begin. */
    indent,
    depth: () => frames.length,
    isPending: () => isPending,
    isValueAt,
    /** Puts an entry of a mapping or a list where its indentation says: what it ends is closed. */
    place(column: number, isDash: boolean) {
      if (isPending) putEmpty()
      while (frames.length > 1 && (indent() > column || (indent() === column && !isDash && !top()?.isMapping))) pop()
      if (isWhole()) error = 'text behind the arguments'
      else if (frames.length === 0) pushRoot(column)
      const frame = top()
      // Arguments that begin in the line of the open tag: the second line tells where their lines begin.
      if (frame?.indent === TAG_LINE) frame.indent = column
      if (indent() !== column) error ||= 'a line whose indentation fits nothing'
      else if (frame?.isMapping === isDash) error = isDash ? 'an item where a key should be' : 'an item without its dash'
    },
    push,
    putKey(name: string) {
      put(Token.key, name)
      isPending = true
    },
    putDash() {
      isPending = true
    },
    /** The value that was pending begins. */
    beginValue() {
      isPending = false
    },
    putEmpty,
    /** The arguments are over. */
    closeAll() {
      if (isPending) putEmpty()
      if (frames.length === 0 && !isWhole()) pushRoot(TAG_LINE)
      while (frames.length) pop()
    },
    /** Why an entry cannot stand where it stands. */
    error: () => error,
  }
}
