import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { matchMarks, withoutPrefix } from '../match-marks.js'
import { createRawText, type RawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { unescaped } from '../unescaped.js'
import { Token, type ValueSink } from '../value-token.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { createJsonBody } from './json-body.js'
import { openCall } from './open-call.js'
import { createJsonContent, type ValueContent } from './value-content.js'

/**
 * Calls in tags that hold the names of the tool and of its arguments, with each argument as raw text:
 *
 *     <tool_call>
 *     <function=write_file>
 *     <parameter=path>
 *     a.ts
 *     </parameter>
 *     </function>
 *     </tool_call>
 */
export interface TaggedGrammar {
  /** What stands around one call or several. */
  readonly section?: { readonly open: string; readonly close: string } | undefined
  /** `<function=` name `>`, or `<invoke name="` name `"` attributes `>`. Without `nameEnd` a name ends at a space or a tag. */
  readonly call: { readonly open: string; readonly nameEnd?: string; readonly headEnd?: string; readonly close: string }
  readonly argument: {
    readonly open: string
    readonly keyEnd: string
    readonly headEnd?: string
    readonly close: string
  }
  /** Marks in a section that mean nothing. */
  readonly fillers?: readonly string[] | undefined
  /** A line break behind an argument's open tag is markup, and then so is one before its close tag. */
  readonly hasBlocks?: boolean | undefined
  /** Text may stand in a CDATA section. */
  readonly hasSections?: boolean | undefined
  /** What the attributes of an argument's tag say of it: text, JSON, or nothing. */
  readonly isText?: ((attributes: string) => boolean | undefined) | undefined
  /** An argument of which the schema says nothing is text, whatever it looks like. */
  readonly isSilentText?: boolean | undefined
  /** The tool that is meant, where its name may be written in another way too. */
  readonly toolName?: ((written: string, isTool: (name: string) => boolean) => string) | undefined
}

/** Names, keys and attributes that are longer than this are none. */
const MAX_HEAD_CHARS = 512

const wrapperKeys = new Set(['arguments', 'parameters', 'properties', 'input'])

// Where the body stands.
const SECTION = 0 //  <tool_call>| <function=f>
const NAME = 1 //     <function=f|>
const HEAD = 2 //     <invoke name="f"| a="b">
const ARGS = 3 //     <function=f> | <parameter=a>
const KEY = 4 //      <parameter=a|>
const KEY_HEAD = 5 // <parameter name="a"| string="true">
const VALUE = 6 //    <parameter=a>te|xt</parameter>
const OBJECT = 7 //   <function=f>{"a|": 1}</function>
const AFTER = 8 //    </function>| </tool_call>
const BROKEN = 9
const OVER = 10

export function createTaggedBody(
  port: CallPort,
  grammar: TaggedGrammar,
  { isInSection, forcedToolName }: { readonly isInSection: boolean; readonly forcedToolName: string | undefined },
): Body {
  const { section, call, argument, fillers = [] } = grammar
  const callEnds = [call.close, ...(section ? [section.close] : [])]
  const callStarts = [call.open, ...(section ? [section.open] : [])]
  let state = isInSection ? SECTION : NAME
  let status: BodyStatus = 'open'
  let givenBack = 0
  let name = ''
  let shape: Shape = port.tools.shapeOf('')
  let writer: ArgumentWriter | undefined
  const given = new Set<string>()
  let hasCalled = false
  /** A name, a key, attributes, or what may be a tag. */
  let held = ''
  let key = ''
  /** What was read behind the last call. */
  let behindChars = 0
  let text: RawText | undefined
  let putValue: ValueSink = () => {}
  let json: ValueContent | undefined
  /** The arguments were given as one object. */
  let isPlaced = false
  let tail: BrokenTail | undefined
  let trouble = ''
  let envelope: Body | undefined
  /** What was taken, but stands behind a call that had to be closed first. */
  let pending = ''

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  /** What follows is not ours. Without any call the mark was prose. */
  const leave = () => finish(hasCalled ? 'done' : 'rejected', hasCalled ? behindChars : 0)
  const commit = () => {
    writer ??= openCall(port, name, forcedToolName)
    return writer
  }
  const closeCall = (problem?: Problem) => {
    const { put } = commit()
    if (!problem && !isPlaced) {
      if (given.size === 0) put(Token.beginObject, '')
      put(Token.endObject, '')
    }
    port.close(problem)
    hasCalled = true
    writer = undefined
    json = undefined
    isPlaced = false
    given.clear()
    held = ''
    behindChars = 0
    state = AFTER
  }
  const breakOff = (message: string, unread: string) => {
    if (!writer) return leave()
    trouble = message
    state = BROKEN
    tail = createBrokenTail(port, [call.close], callStarts)
    const at = readBroken(unread, 0, unread.length)
    if (status !== 'open') givenBack += unread.length - at
    else pending = unread.slice(at)
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    const at = tail?.feed(chunk, from, to) ?? to
    const unread = tail?.giveBack()
    if (unread === undefined) return at
    closeCall({ code: 'malformed-arguments', message: trouble })
    // The mark of the next call is read where it belongs: outside.
    if (unread > 0) finish('done', unread)
    return at
  }

  const beginName = () => {
    state = NAME
    name = ''
    held = ''
  }
  const endName = () => {
    // Some servers write line breaks as two characters.
    const written = held.trim().replace(/(?:\\n)+$/, '')
    name = grammar.toolName?.(written, port.tools.has) ?? written
    held = ''
    if (name === '') return leave()
    shape = port.tools.shapeOf(forcedToolName ?? name)
    state = call.headEnd === undefined ? ARGS : HEAD
    if (call.nameEnd !== undefined && port.tools.has(name)) commit()
  }
  const readName = (char: string): boolean => {
    if (call.nameEnd === undefined && held && (isSpace(char) || char === '<' || char === '{')) {
      endName()
      return false
    }
    held += char
    if (call.nameEnd !== undefined && held.endsWith(call.nameEnd)) {
      held = held.slice(0, -call.nameEnd.length)
      endName()
    } else if (held.length > MAX_HEAD_CHARS || /[\n<>{]/.test(withoutPrefix(held, call.nameEnd).trim())) leave()
    return true
  }
  /** Reads up to the end of a tag; what stands before that are its attributes. */
  const readHead = (char: string, end: string, then: (attributes: string) => void) => {
    held += char
    if (held.length > MAX_HEAD_CHARS) return breakOff('a tag without an end', held)
    if (!held.endsWith(end)) return
    const attributes = held.slice(0, -end.length)
    held = ''
    then(attributes)
  }
  /** A character between a key and its value, or in the tag of a key. */
  const readKeyHead = (char: string) => {
    const { headEnd = '' } = argument
    const mark = held.trimStart() + char
    const isValueless = headEnd.startsWith('<') && [argument.open, ...callEnds, ...callStarts].includes(mark)
    if (!isValueless) return readHead(char, headEnd, beginValue)
    port.report({ code: 'malformed-arguments', message: `the argument ${JSON.stringify(key)} has no value` })
    held = ''
    state = ARGS
    pending = mark.slice(feed(mark, 0, mark.length))
  }
  /** A character between the arguments. */
  const readArgs = (char: string) => {
    if (held === '' && isSpace(char)) return
    held += char
    if (held === '{' && given.size === 0) return beginObject()
    const match = matchMarks(held, [argument.open, ...callEnds, ...callStarts])
    if (match === 'maybe') return
    if (match === 'none') return breakOff('text between the arguments', held)
    if (held === argument.open) {
      commit()
      held = ''
      state = KEY
    } else if (held === call.close && held !== section?.close) {
      closeCall()
    } else if (callStarts.includes(held) && !writer) {
      leave()
    } else {
      // The call's own close tag is missing.
      const unreadChars = held === section?.close ? 0 : held.length
      closeCall()
      finish('done', unreadChars)
    }
  }
  const readKey = (char: string) => {
    held += char
    if (held.length > MAX_HEAD_CHARS) return breakOff('an argument without a name', held)
    if (!held.endsWith(argument.keyEnd)) return
    key = held.slice(0, -argument.keyEnd.length).trim()
    held = ''
    if (argument.headEnd === undefined) beginValue('')
    else state = KEY_HEAD
  }
  const declares = (name: string) => shape.propertyNames.length === 0 || shape.propertyNames.includes(name)
  const beginValue = (attributes: string) => {
    const { put } = commit()
    if (isPlaced || given.has(key)) return breakOff(`the argument ${JSON.stringify(key)} is given twice`, '')
    // Some models put all of the arguments into one.
    isPlaced = given.size === 0 && wrapperKeys.has(key) && !declares(key)
    if (given.size === 0 && !isPlaced) put(Token.beginObject, '')
    given.add(key)
    if (!isPlaced) put(Token.key, key)
    const valueShape = isPlaced ? shape : shape.property(key)
    const isSilent = valueShape.kinds === ANY_KIND
    const isText = grammar.isText?.(attributes) ?? (isSilent && grammar.isSilentText)
    put(isText && !isPlaced && (isSilent || valueShape.kinds & Kind.string) ? Token.beginQuoted : Token.beginRaw, '')
    putValue = valueShape.kinds & Kind.string && !isSilent ? put : unescaped(put)
    const isScalar = !(valueShape.kinds & (Kind.string | Kind.object | Kind.array))
    text = createRawText({
      sink: putValue,
      close: argument.close,
      open: '\0',
      stops: [argument.open, ...callEnds],
      isVerbatim: !grammar.hasBlocks,
      maySection: grammar.hasSections,
      maxHeldChars: port.maxHeldChars,
      canFollow: behind => isScalar || follows(behind, [argument.open, ...callEnds, ...callStarts]),
      canStop: (behind, stop) => isScalar || canStop(behind, stop),
    })
    state = VALUE
  }
  const follows = (behind: string, marks: readonly string[]): boolean | undefined => {
    if (behind === '') return undefined
    const match = matchMarks(behind, marks)
    return match === 'maybe' ? undefined : match !== 'none'
  }
  /** A close tag was forgotten: before an argument that the tool has, or before the end of the call. */
  const canStop = (behind: string, stop: string): boolean | undefined => {
    if (stop !== argument.open) return follows(behind, [...callEnds.slice(1), ...callStarts])
    const next = shape.propertyNames.filter(each => !given.has(each)).map(each => each + argument.keyEnd)
    return follows(behind, next)
  }
  const readValue = (chunk: string, from: number, to: number): number => {
    if (!text) return to
    const at = text.feed(chunk, from, to)
    const isDone = text.isDone()
    const stopped = text.stopped()
    if (!isDone && stopped === undefined) return at
    const again = stopped ?? text.behind()
    endValue()
    pending = again.slice(feed(again, 0, again.length))
    return at
  }
  const endValue = () => {
    text = undefined
    held = ''
    putValue(Token.endText, '')
    state = ARGS
  }
  const beginObject = () => {
    const { put, mayHaveKey } = commit()
    json = createJsonContent({ sink: put, closeMark: call.close, maxHeldChars: port.maxHeldChars, mayHaveKey })
    json.feed('{', 0, 1)
    isPlaced = true
    held = ''
    state = OBJECT
  }
  const readObject = (chunk: string, from: number, to: number): number => {
    if (!json) return to
    const at = json.feed(chunk, from, to)
    if (json.status() === 'open') return at
    if (json.status() === 'failed') {
      breakOff(json.error(), json.unread())
      return at
    }
    const behind = json.unread()
    json.close()
    given.add('')
    held = ''
    state = ARGS
    pending = behind.slice(feed(behind, 0, behind.length))
    return at
  }
  /** A character behind a call: another one, or the end of the section. */
  const readAfter = (char: string) => {
    behindChars++
    if (held === '' && isSpace(char)) {
      if (behindChars > port.maxHeldChars) leave()
      return
    }
    held += char
    if (fillers.includes(held)) {
      held = ''
      return
    }
    const match = matchMarks(held, section ? [section.close, call.open, ...fillers] : [])
    if (match === 'maybe') return
    if (match === 'none') leave()
    else if (held === call.open) beginName()
    else finish('done')
  }
  const readSection = (char: string) => {
    if (held === '' && isSpace(char)) return
    held += char
    if (section && (held === '{' || held === '[')) {
      envelope = createJsonBody(port, { ends: [section.close], opens: [section.open], forcedToolName })
      envelope.feed(held, 0, 1)
      return
    }
    if (fillers.includes(held)) {
      held = ''
      return
    }
    const match = matchMarks(held, [call.open, ...fillers, ...(section ? [section.close] : [])])
    if (match === 'none') leave()
    else if (held === section?.close) finish('done')
    else if (match !== 'maybe') beginName()
  }

  const readPending = () => {
    while (pending && state !== OVER) {
      const again = pending
      pending = ''
      pending = again.slice(feed(again, 0, again.length))
    }
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    readPending()
    while (at < to && state !== OVER) {
      if (envelope) return envelope.feed(chunk, at, to)
      const hadCall = hasCalled && state === AFTER
      if (state === VALUE) at = readValue(chunk, at, to)
      else if (state === OBJECT) at = readObject(chunk, at, to)
      else if (state === BROKEN) at = readBroken(chunk, at, to)
      else {
        const char = chunk.charAt(at++)
        if (state === NAME) at -= readName(char) ? 0 : 1
        else if (state === HEAD) readHead(char, call.headEnd ?? '', endHead)
        else if (state === ARGS) readArgs(char)
        else if (state === KEY) readKey(char)
        else if (state === KEY_HEAD) readKeyHead(char)
        else if (state === SECTION) readSection(char)
        else readAfter(char)
      }
      // The scanner takes a call that was closed before it gives more.
      if (state === AFTER && !hadCall) return at
    }
    return at
  }
  const endHead = (attributes: string) => {
    state = ARGS
    if (attributes.trim().endsWith('/')) closeCall()
  }

  return {
    feed,
    end(isCut) {
      if (envelope) return envelope.end(isCut)
      readPending()
      if (state === OVER) return
      if (state === AFTER) return finish('done', held.length > 1 ? 0 : held.length)
      const cut: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }
      if (state === BROKEN) {
        tail?.end()
        closeCall({ code: 'malformed-arguments', message: trouble })
      } else if (state === OBJECT) closeCall(json?.end(isCut) ? undefined : cut)
      else if (state === VALUE) {
        const isWhole = text?.end() === true && !isCut
        if (isWhole) endValue()
        closeCall(isWhole ? undefined : cut)
      } else if (state === ARGS && (writer || (!isCut && port.tools.has(name) && held === ''))) {
        closeCall(isCut || (held !== '' && !callEnds.some(mark => mark.startsWith(held))) ? cut : undefined)
      } else if (writer) closeCall(cut)
      else return leave()
      finish('done')
    },
    status: () => envelope?.status() ?? status,
    giveBack: () => envelope?.giveBack() ?? givenBack,
  }
}

/** Calls in tags, with raw text as arguments. */
export function taggedCalls(grammar: TaggedGrammar): CallGrammar {
  const { section, call } = grammar
  return ({ forcedToolName }) => {
    const mark = (text: string, isInSection: boolean): Mark => ({
      text,
      createBody: port => createTaggedBody(port, grammar, { isInSection, forcedToolName }),
    })
    return section ? [mark(section.open, true), mark(call.open, false)] : [mark(call.open, false)]
  }
}
