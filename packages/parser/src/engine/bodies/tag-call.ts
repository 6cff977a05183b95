import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed, type Problem } from '../events.js'
import { peek } from '../marks.js'
import { startsMark } from '../match-marks.js'
import { readJson } from '../read-json.js'
import type { Shape } from '../shape.js'
import { Token } from '../value-token.js'
import { readJsonCalls } from './json-body.js'
import { createMarkup, type Markup } from './markup.js'

/** How calls stand in tags, whatever the tags of their arguments look like. */
export interface TagCallGrammar {
  /** What stands around one call or several. */
  readonly section?: { readonly open: string; readonly close: string } | undefined
  /** `<function=` name `>`, or `<invoke name="` name `"` attributes `>`. Without `nameEnd` a name ends at a space or a tag. */
  readonly call: { readonly open: string; readonly nameEnd?: string; readonly headEnd?: string; readonly close: string }
  /** Marks in a section that mean nothing. */
  readonly fillers?: readonly string[] | undefined
  /** The tool that is meant, where its name may be written in another way too. */
  readonly toolName?: ((written: string, isTool: (name: string) => boolean) => string) | undefined
  /** The tool's name, where the mark says it; and the marks of the other tools. */
  readonly name?: string | undefined
  readonly otherOpens?: readonly string[] | undefined
}

/** Reads a part of a call, and gives the reason if that cannot be done; without a call yet it was prose then. */
export type Attempt = Reading<Problem | undefined>

/** Reads the arguments of a call and its end. */
type ReadArguments = (cursor: Cursor, port: CallPort, call: TagCall) => Attempt

export type TagCall = ReturnType<typeof createTagCall>

/** Names, keys and attributes that are longer than this are none. */
const MAX_HEAD_CHARS = 512

/** Takes what stands before the end of a name, a key or a tag, and that end. Without one a name ends at a space or a tag. */
export function* readHead(cursor: Cursor, end = '', noHead?: RegExp): Reading<string | Problem> {
  const length = yield* peek(cursor, text => {
    const head = text.slice(0, MAX_HEAD_CHARS)
    const at = end ? head.indexOf(end) : head.search(/(?<=\S)[\s<{]/)
    if (noHead?.test((at < 0 ? head : head.slice(0, at)).trim())) return -1
    return at >= 0 || head.length === MAX_HEAD_CHARS ? at : undefined
  })
  if (length === undefined) return CUT
  if (length < 0) return malformed('a tag without an end')
  const head = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + end.length
  return head
}

/** What ends a call: its own close tag first. */
export const callEnds = ({ call, section }: TagCallGrammar) => (section ? [call.close, section.close] : [call.close])

/** A call behind its name. `ends`: what ends it, its own close tag first; `opens`: what begins another. */
function createTagCall(
  markup: Markup,
  { ends, opens }: { readonly ends: readonly string[]; readonly opens: readonly string[] },
  { tools }: CallPort,
  name: string,
  shape: Shape,
) {
  let isBegun = false
  /** From here on it is a call. */
  const commit = () => markup.openCall(name)
  /** Begins the object of the arguments, if that is not done. */
  const begin = () => {
    if (!isBegun) commit().put(Token.beginObject, '')
    isBegun = true
  }
  return {
    ends,
    opens,
    shape,
    markup,
    isTool: tools.has(name),
    isCommitted: () => markup.writer() !== undefined,
    commit,
    begin,
    /** Completes the arguments. */
    finish(): undefined {
      if (commit().isWhole()) return
      begin()
      commit().put(Token.endObject, '')
    },
  }
}

/** Reads the end of the call, where some other mark might stand too. At the end of the text its close tag may be missing. */
export function* readEnd(cursor: Cursor, call: TagCall, otherMarks: readonly string[] = []): Attempt {
  const { ends, opens, isCommitted } = call
  const marks = [...ends, ...opens, ...otherMarks]
  const mark = yield* call.markup.nextMark(marks)
  if (mark !== ends[0]) cursor.at -= mark.length
  const rest = cursor.text.slice(cursor.at)
  if (mark === '' && cursor.isOver && startsMark(rest, marks)) {
    const isOver = isCommitted() ? startsMark(rest, ends) : rest === '' && call.isTool
    if (cursor.isCut || !isOver) return CUT
    cursor.at += rest.length
  } else if (!ends.includes(mark) && !(isCommitted() && opens.includes(mark))) {
    return malformed('text between the arguments')
  }
  return call.finish()
}

/** Reads one JSON object in place of the arguments, and the end of the call. */
export function* readObject(cursor: Cursor, call: TagCall): Attempt {
  const { put, mayHaveKey } = call.commit()
  return (yield* readJson(cursor, put, { ends: call.ends.slice(0, 1), mayHaveKey })) ?? (yield* readEnd(cursor, call))
}

/** Calls in tags, in sections or alone. */
export function tagCalls(grammar: TagCallGrammar, readArguments: ReadArguments): CallGrammar {
  const { section, call, fillers = [], otherOpens = [] } = grammar
  const { nameEnd, headEnd } = call
  const ends = callEnds(grammar)
  const sectionEnds = ends.slice(1)
  const opens = [call.open, ...(section ? [section.open] : []), ...otherOpens]

  function* readCall(cursor: Cursor, port: CallPort, markup: Markup): Attempt {
    const { tools } = port
    const head = grammar.name ?? (yield* readHead(cursor, nameEnd, nameEnd?.startsWith('<') ? /[\n>{]/ : /[\n<>{]/))
    if (typeof head !== 'string') return head
    // Some servers write line breaks as two characters.
    const written = head.trim().replace(/(?:\\n)+$/, '')
    const name = grammar.toolName?.(written, tools.has) ?? written
    if (name === '') return CUT
    const tagCall = createTagCall(markup, { ends, opens }, port, name, tools.shapeOf(name))
    if (nameEnd !== undefined && tagCall.isTool) tagCall.commit()
    const attributes = headEnd === undefined ? '' : yield* readHead(cursor, headEnd)
    if (typeof attributes !== 'string') return attributes
    return attributes.trim().endsWith('/') ? tagCall.finish() : yield* readArguments(cursor, port, tagCall)
  }
  function* readCalls(cursor: Cursor, port: CallPort, isInSection: boolean): Body {
    const markup = createMarkup(cursor, port, { ends: [call.close], opens: [...opens, ...sectionEnds] })
    for (let isInCall = !isInSection; ; ) {
      const problem = isInCall ? yield* readCall(cursor, port, markup) : undefined
      if (problem && !markup.writer()) return markup.leave()
      if (isInCall) yield* markup.endCall(problem)
      if (!section) return 0
      // Between the calls of a section; one that stands alone may have lost its section's open mark.
      const mark = yield* markup.nextMark([...sectionEnds, call.open, ...fillers])
      isInCall = mark === call.open
      if (sectionEnds.includes(mark)) return 0
      if (fillers.includes(mark) && markup.hasCalled()) markup.claim()
      if (mark) continue
      if (!markup.hasCalled() && /[{[]/.test(cursor.text.charAt(cursor.at))) {
        return yield* readJsonCalls(cursor, port, { ends: sectionEnds, opens: [section.open] })
      }
      if (markup.takeBegun([...ends, ...fillers])) markup.claim()
      return markup.leave()
    }
  }

  return () =>
    (section ? [section, call] : [call]).map(({ open }) => ({
      text: open,
      read: (cursor, port) => readCalls(cursor, port, open === section?.open),
    }))
}

/** Calls in tags that are named like the tools. */
export function toolTagCalls(callsOf: (grammar: TagCallGrammar) => CallGrammar): CallGrammar {
  return tools => {
    const otherOpens = tools.names().map(name => `<${name}`)
    const grammarOf = (name: string) => ({ call: { open: `<${name}`, close: `</${name}>` }, name, otherOpens })
    return tools.names().flatMap(name => callsOf(grammarOf(name))(tools))
  }
}
