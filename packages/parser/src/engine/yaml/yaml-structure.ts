import type { ArgumentWriter } from '../argument-writer.js'
import { Kind } from '../shape.js'
import { Token } from '../value-token.js'

export interface YamlStructureOptions {
  readonly writer: ArgumentWriter
  /** Arguments that were given in another way, before the YAML. */
  readonly given: readonly (readonly [key: string, text: string])[]
  readonly fail: (message: string) => void
}

/** Nesting beyond this is refused, as it is in JSON. */
export const MAX_DEPTH = 512
/** The place of the arguments in their line, as long as they stand in the line of the open tag. */
export const TAG_LINE = -1

/** The mappings and lists that are open, and the places in a line at which their lines begin. */
export function createYamlStructure({ writer, given, fail }: YamlStructureOptions) {
  const { put } = writer
  const frames: { readonly isMapping: boolean; indent: number }[] = []
  /** A key or a dash was read, and its value was not. */
  let isPending = false

  const top = () => frames[frames.length - 1]
  const push = (isMapping: boolean, indent: number) => {
    if (frames.length === MAX_DEPTH) return fail(`nested deeper than ${MAX_DEPTH} levels`)
    isPending = false
    frames.push({ isMapping, indent })
    put(isMapping ? Token.beginObject : Token.beginArray, '')
  }
  const pop = () => put(frames.pop()?.isMapping ? Token.endObject : Token.endArray, '')
  const pushRoot = (column: number) => {
    push(true, column)
    for (const [name, text] of given) {
      put(Token.key, name)
      putText(Token.beginRaw, text)
    }
  }
  const putText = (begin: Token, text: string) => {
    put(begin, '')
    if (text) put(Token.text, text)
    put(Token.endText, '')
  }
  /** Puts what stands for a value that was left out: null where that is allowed, else what the schema has for nothing. */
  const putEmpty = () => {
    const { kinds } = writer.expected()
    isPending = false
    if (kinds & Kind.null || !(kinds & (Kind.string | Kind.object | Kind.array))) put(Token.literal, 'null')
    else putText(kinds & Kind.string ? Token.beginQuoted : Token.beginRaw, '')
  }
  /** A list may stand below its key without being indented; then a line without a dash ends it. */
  const isBeyond = (column: number, isDash: boolean) => {
    const { indent = TAG_LINE, isMapping = true } = top() ?? {}
    return indent > column || (indent === column && !isDash && !isMapping)
  }

  return {
    /** Where the lines of the innermost one begin. */
    indent: () => top()?.indent ?? TAG_LINE,
    depth: () => frames.length,
    isPending: () => isPending,
    /**
     * Puts a line where its indentation says: what it ends is closed. True if the line is the value of what came before it,
     * false if it is an entry of the innermost mapping or list.
     */
    place(column: number, isDash: boolean): boolean {
      const parent = top()
      if (isPending && parent) {
        if (column > parent.indent || (isDash && parent.isMapping && column === parent.indent)) return true
        putEmpty()
      }
      while (frames.length > 1 && isBeyond(column, isDash)) pop()
      if (frames.length === 0) pushRoot(column)
      const frame = top()
      // Arguments that begin in the line of the open tag: the second line tells where their lines begin.
      if (frame?.indent === TAG_LINE) frame.indent = column
      if (frame?.indent !== column) fail('a line whose indentation fits nothing')
      else if (frame.isMapping === isDash) fail(isDash ? 'an item where a key should be' : 'an item without its dash')
      return false
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
      if (frames.length === 0) pushRoot(TAG_LINE)
      while (frames.length) pop()
    },
  }
}
