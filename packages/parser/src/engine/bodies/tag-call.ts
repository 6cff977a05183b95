import type { Body, CallGrammar, CallPort } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import type { Problem } from '../events.js'
import { lookAhead } from '../marks.js'
import { startsMark } from '../match-marks.js'
import { readOld } from '../old-body.js'
import { readJson } from '../read-json.js'
import type { Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup, malformed } from './markup.js'

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

/** What reads the arguments of a call and its end. It gives the reason why they could not be read; without a call yet it was prose. */
type ReadArguments = (cursor: Cursor, port: CallPort, call: TagCall) => Reading<Problem | undefined>

export type TagCall = ReturnType<typeof createTagCall>

/** Names, keys and attributes that are longer than this are none. */
const MAX_HEAD_CHARS = 512

/** Takes what stands before the end of a key or a tag, and that end. */
export function* readHead(cursor: Cursor, end: string): Reading<string | Problem> {
  const length = yield* lookAhead(cursor, text => {
    const at = text.slice(0, MAX_HEAD_CHARS).indexOf(end)
    return at >= 0 || text.length >= MAX_HEAD_CHARS ? at : undefined
  })
  if (length === undefined) return CUT
  if (length < 0) return malformed('a tag without an end')
  const head = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + end.length
  return head
}

/** Takes the name of a tool and what ends it; gives nothing where there is none. */
function* readName(cursor: Cursor, end: string | undefined): Reading<string> {
  const noName = end?.startsWith('<') ? /[\n>{]/ : /[\n<>{]/
  const length = yield* lookAhead(cursor, text => {
    const head = text.slice(0, MAX_HEAD_CHARS)
    const at = end === undefined ? head.search(/(?<=\S)[\s<{]/) : head.indexOf(end)
    if (noName.test((at < 0 ? head : head.slice(0, at)).trim())) return -1
    return at >= 0 || head.length === MAX_HEAD_CHARS ? at : undefined
  })
  if (length === undefined || length < 0) return ''
  const name = cursor.text.slice(cursor.at, cursor.at + length)
  cursor.at += length + (end?.length ?? 0)
  // Some servers write line breaks as two characters.
  return name.trim().replace(/(?:\\n)+$/, '')
}

/** A call whose arguments are to be read. `ends`: what ends the call, its own close tag first; `opens`: what begins another. */
function createTagCall(
  cursor: Cursor,
  port: CallPort,
  markup: ReturnType<typeof createMarkup>,
  { name, shape, ends, opens }: { name: string; shape: Shape; ends: readonly string[]; opens: readonly string[] },
) {
  const [close = ''] = ends
  const isCommitted = () => markup.writer() !== undefined
  /** From here on it is a call. */
  const commit = () => markup.openCall(name)
  /** Reads the end of the call, where one of these marks may stand too. The arguments are completed if that is what stands here, or nothing more. */
  function* readEnd(
    complete: (put: ValueSink) => void,
    otherMarks: readonly string[] = [],
  ): Reading<Problem | undefined> {
    const marks = [...ends, ...opens, ...otherMarks]
    const mark = yield* markup.nextMark(marks)
    // Its own close tag may be missing.
    if (mark !== close) cursor.at -= mark.length
    const rest = cursor.text.slice(cursor.at)
    if (mark === '' && cursor.isOver && startsMark(rest, marks)) {
      const isWhole = isCommitted() ? startsMark(rest, ends) : rest === '' && port.tools.has(name)
      if (cursor.isCut || !isWhole) return CUT
      cursor.at += rest.length
    } else if (!ends.includes(mark) && !(isCommitted() && opens.includes(mark))) {
      return malformed('text between the arguments')
    }
    complete(commit().put)
    return undefined
  }
  /** Reads one JSON object in place of the arguments, and the end of the call. */
  function* readObject(): Reading<Problem | undefined> {
    const { put, mayHaveKey } = commit()
    const problem = yield* readJson(cursor, put, { maxHeldChars: port.maxHeldChars, ends: [close], mayHaveKey })
    return problem ?? (yield* readEnd(() => {}))
  }
  return { shape, ends, opens, isCommitted, commit, readEnd, readObject }
}

/** Calls in tags, in sections or alone. */
export function tagCalls(grammar: TagCallGrammar, readArguments: ReadArguments): CallGrammar {
  const { section, call, fillers = [], otherOpens = [] } = grammar
  const sectionEnds = section ? [section.close] : []
  const ends = [call.close, ...sectionEnds]
  const opens = [call.open, ...(section ? [section.open] : []), ...otherOpens]

  function* readCalls(cursor: Cursor, port: CallPort, isInSection: boolean, forcedToolName: string | undefined): Body {
    const markup = createMarkup(cursor, port, { forcedToolName, ends: [call.close], opens: [...opens, ...sectionEnds] })
    const { tools } = port

    function* readBehindName(name: string): Reading<Problem | undefined> {
      const shape = tools.shapeOf(forcedToolName ?? name)
      const tagCall = createTagCall(cursor, port, markup, { name, shape, ends, opens })
      if (call.nameEnd !== undefined && tools.has(name)) tagCall.commit()
      const attributes = call.headEnd === undefined ? '' : yield* readHead(cursor, call.headEnd)
      if (typeof attributes !== 'string') return attributes
      if (!attributes.trim().endsWith('/')) return yield* readArguments(cursor, port, tagCall)
      const { put } = tagCall.commit()
      put(Token.beginObject, '')
      put(Token.endObject, '')
      return undefined
    }
    /** False if there was no call. */
    function* readCall(): Reading<boolean> {
      const written = grammar.name ?? (yield* readName(cursor, call.nameEnd))
      const name = grammar.toolName?.(written, tools.has) ?? written
      const problem = name === '' ? CUT : yield* readBehindName(name)
      if (problem && !markup.writer()) return false
      if (problem?.code === 'malformed-arguments') yield* markup.breakOff(problem.message)
      else {
        if (problem) cursor.at = cursor.text.length
        markup.closeCall(problem)
      }
      return true
    }

    for (let isInCall = !isInSection; ; ) {
      if (isInCall && !(yield* readCall())) return markup.leave()
      if (!section) return 0
      // Between the calls of a section; one that stands alone may have lost its section's open mark.
      const mark = yield* markup.nextMark([...sectionEnds, call.open, ...fillers])
      isInCall = mark === call.open
      if (sectionEnds.includes(mark)) return 0
      if (fillers.includes(mark) && markup.hasCalled()) markup.claim()
      if (mark) continue
      if (!markup.hasCalled() && /[{[]/.test(cursor.text.charAt(cursor.at))) {
        const envelope = { ends: sectionEnds, opens: [section.open], forcedToolName }
        return yield* readOld(cursor, port, port => createJsonBody(port, envelope))
      }
      if (markup.takeBegun([...ends, ...fillers])) markup.claim()
      return markup.leave()
    }
  }

  return ({ forcedToolName }) =>
    (section ? [section, call] : [call]).map(({ open }) => ({
      text: open,
      read: (cursor, port) => readCalls(cursor, port, open === section?.open, forcedToolName),
    }))
}
