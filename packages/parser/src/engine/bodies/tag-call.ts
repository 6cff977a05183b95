import type { CallGrammar, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { isAtMark, startsMark } from '../match-marks.js'
import { type OldBody as Body, readOld } from '../old-body.js'
import type { ValueSink } from '../value-token.js'
import { createJsonBody } from './old-json-body.js'
import { CUT, createMarkup } from './old-markup.js'

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
}

export interface TagCallPlace {
  readonly forcedToolName: string | undefined
  /** The mark that was read is the section's, not the call's. */
  readonly isInSection: boolean
}

export interface TagCallOptions extends TagCallGrammar, TagCallPlace {
  /** The tool's name, where the mark says it; and the marks of the other tools. */
  readonly name?: string | undefined
  readonly otherOpens?: readonly string[] | undefined
}

/** How the arguments of a call are read. */
export interface TagArguments {
  /** The open tag is over: what takes the characters between the arguments. */
  readonly begin: () => (char: string) => void
  /** The arguments are over: puts what is missing of them. */
  readonly close: (put: ValueSink) => void
  /** The text ended among the arguments. True if they are whole, as far as that can be seen. */
  readonly end: (isCut: boolean) => boolean
}

/** Names, keys and attributes that are longer than this are none. */
const MAX_HEAD_CHARS = 512

/**
 * What calls in tags have in common: sections around them, the name in the open tag, one JSON object in place of the arguments or
 * of the calls, ends that are missing.
 */
export function createTagCall(port: CallPort, options: TagCallOptions, args: TagArguments) {
  const { section, call, fillers = [], forcedToolName, otherOpens = [] } = options
  const sectionEnds = section ? [section.close] : []
  const ends = [call.close, ...sectionEnds]
  const opens = [call.open, ...(section ? [section.open] : []), ...otherOpens]
  let name = options.name ?? ''
  let shape = port.tools.shapeOf(forcedToolName ?? name)
  /** A name, a key or attributes. */
  let head = ''
  /** The arguments, where they are one object. */
  let json: JsonReader | undefined

  const markup = createMarkup(port, {
    forcedToolName,
    ends: [call.close],
    opens: [...opens, ...sectionEnds],
    onClose(problem) {
      const { put } = commit()
      if (!problem && !json) args.close(put)
    },
    goOn: section && (() => goTo(readAround)),
  })
  const { writer, closeLast, leave, readAgain, readMark, goTo, isAt, held, hasCalled } = markup
  const commit = () => markup.openCall(name)
  /** What follows cannot be read; without a call yet it was prose. */
  const breakOff = (message: string, unread: string) => (writer() ? markup.breakOff(message, unread) : leave())
  const takeHead = () => {
    const taken = head
    head = ''
    return taken
  }

  const beginName = () => {
    head = ''
    json = undefined
    goTo(readName)
  }
  const readName = (char: string) => {
    const { nameEnd } = call
    if (nameEnd === undefined && head && (isSpace(char) || char === '<' || char === '{')) {
      readAgain(char)
      return endName(takeHead())
    }
    head += char
    if (nameEnd !== undefined && head.endsWith(nameEnd)) endName(takeHead().slice(0, -nameEnd.length))
    else if (head.length > MAX_HEAD_CHARS || (call.nameEnd?.startsWith('<') ? /[\n>{]/ : /[\n<>{]/).test(head.trim()))
      leave()
  }
  const endName = (text: string) => {
    // Some servers write line breaks as two characters.
    const written = text.trim().replace(/(?:\\n)+$/, '')
    name = options.toolName?.(written, port.tools.has) ?? written
    if (name === '') return leave()
    shape = port.tools.shapeOf(forcedToolName ?? name)
    goTo(call.headEnd === undefined ? args.begin() : readCallHead)
    if (call.nameEnd !== undefined && port.tools.has(name)) commit()
  }
  /** Reads up to the end of a key or a tag; gives what stands before that. */
  const readHead = (char: string, end: string): string | undefined => {
    head += char
    if (head.length > MAX_HEAD_CHARS) breakOff('a tag without an end', takeHead())
    return head.endsWith(end) ? takeHead().slice(0, -end.length) : undefined
  }
  const readCallHead = (char: string) => {
    const attributes = readHead(char, call.headEnd ?? '')
    if (attributes === undefined) return
    goTo(args.begin())
    if (attributes.trim().endsWith('/')) closeLast()
  }

  const beginObject = (beginning: string) => {
    const { put, mayHaveKey } = commit()
    json = createJsonReader(put, { maxHeldChars: port.maxHeldChars, ends: [call.close], mayHaveKey })
    goTo(json, afterObject)
    readAgain(beginning)
  }
  const afterObject = () => {
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    if (json?.status() !== 'done') return
    readAgain(json.unread())
    goTo(readBehind)
  }
  const readBehind = (char: string) => {
    const found = readMark(char, [...ends, ...opens])
    if (found !== undefined) closeAt(found)
  }
  /** Ends the call at what stands behind its arguments. Its own close tag may be missing. */
  const closeAt = (found: string) => {
    if (![...ends, ...opens].includes(found)) breakOff('text between the arguments', found)
    else if (!writer() && opens.includes(found)) leave()
    else {
      if (found !== call.close) readAgain(found)
      closeLast()
    }
  }
  /** Between the calls of a section; a call that stands alone may have lost its section's open mark. */
  const readAround = (char: string) => {
    const found = readMark(char, [...sectionEnds, call.open, ...fillers])
    if (found === undefined) return
    if (fillers.includes(found)) return hasCalled() ? markup.claim() : undefined
    if (found === call.open) beginName()
    else if (sectionEnds.includes(found)) markup.finish('done')
    else if (section && !hasCalled() && (found === '{' || found === '[')) {
      const envelope = { ends: sectionEnds, opens: [section.open], forcedToolName }
      markup.handOver(createJsonBody(port, envelope), found)
    } else leave()
  }

  /** Where the text ended between the arguments: true if nothing stands there, or the beginning of an end. */
  const isWholeSoFar = () => (writer() ? startsMark(held(), ends) : port.tools.has(name) && held() === '')

  return {
    markup,
    ends,
    opens,
    shape: () => shape,
    commit,
    breakOff,
    readHead,
    beginObject,
    closeAt,
    /** Whether what begins with `behind` shows that the call's close tag before it was one. */
    isOver: (behind: string) => isAtMark(behind, [...sectionEnds, ...opens]),
    isWholeSoFar,
    /** The mark that stands where a head was to be read. */
    takeMark(marks: readonly string[]) {
      const mark = marks.find(each => each === head.trimStart())
      if (mark !== undefined) head = ''
      return mark
    },
    body: (first = readName): Body =>
      markup.bodyOf(options.isInSection ? readAround : first, isCut => {
        if (isAt(readAround)) return markup.leaveAtEnd([...ends, ...fillers])
        const isEnded = isAt(readBehind) ? isWholeSoFar() : (json?.end(!isCut) ?? args.end(isCut))
        const isWhole = isEnded && !isCut
        if (writer() || isWhole) closeLast(0, isWhole ? undefined : CUT)
        else leave()
      }),
  }
}

/** Calls in tags, in sections or alone. */
export function tagCalls<Grammar extends TagCallGrammar>(
  grammar: Grammar,
  createBody: (port: CallPort, options: Grammar & TagCallPlace) => Body,
): CallGrammar {
  return ({ forcedToolName }) => {
    const mark = (text: string, isInSection: boolean): Mark => ({
      text,
      read: (cursor, port) =>
        readOld(cursor, port, port => createBody(port, { ...grammar, forcedToolName, isInSection })),
    })
    const alone = mark(grammar.call.open, false)
    return grammar.section ? [mark(grammar.section.open, true), alone] : [alone]
  }
}
