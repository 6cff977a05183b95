import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import type { Problem } from '../events.js'
import { ANY_KIND, Kind, type Shape, silentShape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { createTagReader, type TagReader } from './tag-reader.js'

/**
 * Calls as elements, where the tag is the tool's name and the children are its arguments:
 *
 *     <write_file>
 *       <path>a.html</path>
 *       <content>
 *     <p>if (a<b) & so on</p>
 *       </content>
 *     </write_file>
 *
 * Strings are raw: an inner close tag ends a value only if what follows can follow it. A line break right behind the open
 * tag belongs to the markup, and then so does the one right before the close tag. `<![CDATA[…]]>` is read back as the text
 * that it holds. An object may also be written as JSON.
 */
export interface ElementGrammar {
  readonly toolName: string
  /** What opens the next call, and so also ends one that cannot be read. */
  readonly opens: readonly string[]
}

const STRUCTURE = Kind.object | Kind.array
const CDATA_START = '<![CDATA['
const COMMENT_START = '<!--'
/** Space in front of a value that is longer than this is the value's own. */
const MAX_LEAD_CHARS = 4096

// Where the body stands.
const TAG = 0 //        <path| a="b">
const START = 1 //      <path>|  …        what is this element's content?
const CHILDREN = 2 //   <write_file> | <path>
const BRACKET = 3 //    <write_file> <|path>     a child, a close tag or a comment?
const CLOSE_TAG = 4 //  <write_file> … </wri|te_file>
const COMMENT = 5 //    <!-- | -->
const RAW = 6 //        <path>a.h|tml</path>
const LOOK = 7 //       <path>a.html</pa|th>     is this the value's end?
const CDATA = 8 //      <path><![CDATA[a.h|tml]]></path>
const AFTER_CDATA = 9 //  <path><![CDATA[a.html]]>|</path>
const BROKEN = 10
const OVER = 11

/** An element whose children are being read. */
interface Frame {
  readonly tag: string
  readonly isObject: boolean
  readonly shape: Shape
  /** The list or object was opened inside a list that we opened around it. */
  readonly closesArray: boolean
  readonly seen: Set<string>
  /** The key whose list is still open, because the same tag may come again. */
  listKey: string | undefined
  listShape: Shape
  count: number
  /** A value of unknown type, kept until it is clear whether its tag comes again. */
  pending: { readonly key: string; readonly recorder: ValueRecorder; readonly outer: ValueSink } | undefined
}

const isSpace = (char: string) => char === ' ' || char === '\n' || char === '\t' || char === '\r'
const isIndex = (name: string) => /^\d+$/.test(name)
const isTagName = (name: string) => /^[\p{L}\p{N}_][^<>"'=]*$/u.test(name)

export function createElementBody(port: CallPort, grammar: ElementGrammar): Body {
  const { toolName, opens } = grammar
  const rootShape = port.tools.shapeOf(toolName)
  let state = TAG
  let status: BodyStatus = 'open'
  let givenBack = 0
  let writer: ArgumentWriter | undefined
  let sink: ValueSink = () => {}
  let tail: BrokenTail | undefined
  let trouble = ''
  const frames: Frame[] = []

  /** The tag being read. */
  let tag: TagReader = createTagReader(toolName)
  /** The element whose content begins or is text, and what it may hold. */
  let element = toolName
  let shape: Shape = rootShape
  let attributes: readonly (readonly [string, string])[] = []
  /** What was read of a content or a bracket that is not decided yet. */
  let lead = ''
  /** Where the first character of it stands that is not space. */
  let headAt = -1
  /** A text: is it at its beginning, did it begin with a line break, is a line break held that may be the closing one? */
  let isAtStart = true
  let isBlock = false
  let heldBreak = ''
  /** A possible end of a text, how much of the close tag it is, and what follows it. */
  let look = ''
  let matched = 0
  let followAt = -1
  let followTagAt = -1
  /** The text is a CDATA section, behind which a close tag needs no proof. */
  let isSection = false
  /** The text holds its own open tag, so that a close tag may be the inner one's. */
  let hasInnerOpen = false

  const top = () => frames[frames.length - 1]
  const finish = (result: BodyStatus, unread = 0) => {
    state = OVER
    status = result
    givenBack = unread
  }
  const closeCall = (problem?: Problem) => {
    port.close(problem)
    finish('done')
  }
  /** What follows cannot be read: without a call yet it was prose. */
  const breakOff = (message: string, unread: string) => {
    if (!writer) return finish('rejected')
    trouble = message
    state = BROKEN
    tail = createBrokenTail(port, [`</${toolName}>`], opens)
    tail.feed(unread, 0, unread.length)
  }
  const commit = () => {
    if (writer) return
    writer = port.open(toolName)
    sink = writer.put
  }

  /** Ends the list that repeated tags may still have added to, or gives out the value that they might have. */
  const settle = (frame: Frame) => {
    if (frame.listKey !== undefined) sink(Token.endArray, '')
    frame.listKey = undefined
    const { pending } = frame
    frame.pending = undefined
    if (!pending) return
    sink(Token.key, pending.key)
    pending.recorder.replay(sink)
  }
  const beginList = (frame: Frame, key: string, listShape: Shape) => {
    sink(Token.beginArray, '')
    frame.listKey = key
    frame.listShape = listShape
    frame.count = 0
  }
  /** A child begins: returns the shape of what it holds, or undefined if it must not be there. */
  const beginChild = (frame: Frame, key: string): Shape | undefined => {
    if (!frame.isObject) return frame.shape.item(frame.count++)
    if (frame.listKey === key) return frame.listShape.item(frame.count++)
    if (frame.pending?.key === key) {
      const { recorder } = frame.pending
      frame.pending = undefined
      sink(Token.key, key)
      beginList(frame, key, silentShape)
      recorder.replay(sink)
      return silentShape
    }
    settle(frame)
    if (frame.seen.has(key)) return undefined
    frame.seen.add(key)
    const child = frame.shape.property(key)
    if (child.kinds === ANY_KIND) {
      const recorder = createValueRecorder()
      frame.pending = { key, recorder, outer: sink }
      sink = recorder.put
    } else sink(Token.key, key)
    return child
  }
  const endChild = () => {
    const frame = top()
    if (frame?.pending) sink = frame.pending.outer
    state = CHILDREN
    lead = ''
    if (!frame) closeCall()
  }
  const pushFrame = (isObject: boolean, frameShape: Shape, closesArray: boolean) => {
    if (isObject) sink(Token.beginObject, '')
    const frame: Frame = {
      tag: element,
      isObject,
      shape: frameShape,
      closesArray,
      seen: new Set(),
      listKey: undefined,
      listShape: silentShape,
      count: 0,
      pending: undefined,
    }
    frames.push(frame)
    if (!isObject) return
    for (const [name, value] of attributes) {
      if (!frameShape.propertyNames.includes(name) || frame.seen.has(name)) continue
      frame.seen.add(name)
      for (const [token, text] of [
        [Token.key, name],
        [Token.beginRaw, ''],
        [Token.text, value],
        [Token.endText, ''],
      ] as const)
        sink(token, text)
    }
  }
  /** The element's children are read one by one. `child` is the name of the first. */
  const beginStructure = (child: string) => {
    commit()
    state = CHILDREN
    const mayBeObject = (shape.kinds & Kind.object) !== 0
    const isNamedAsItem = child === 'item' || isIndex(child)
    if (!(shape.kinds & Kind.array) || (mayBeObject && !isNamedAsItem)) return pushFrame(true, shape, false)
    // A list. Its key stays open in the object around it, since the tag may come again.
    const parent = top()
    const staysOpen = parent?.isObject === true && !parent.pending && parent.listKey === undefined
    if (parent && staysOpen) beginList(parent, element, shape)
    else sink(Token.beginArray, '')
    const item = shape.item(0)
    // <user><name>…</name></user> for a list of users: the element is one of the items.
    if (!isNamedAsItem && item.propertyNames.includes(child)) {
      if (parent && staysOpen) parent.count = 1
      pushFrame(true, item, !staysOpen)
    } else pushFrame(false, shape, !staysOpen)
  }
  const endStructure = () => {
    const frame = frames.pop()
    if (!frame) return
    if (frame.isObject) {
      settle(frame)
      sink(Token.endObject, '')
    } else {
      const parent = top()
      if (!frame.closesArray && parent) parent.count = frame.count
    }
    if (frame.closesArray) sink(Token.endArray, '')
    endChild()
  }

  /** The element's content is text. `text` is what was read of it. */
  const beginText = (text: string, token: Token = Token.beginRaw) => {
    commit()
    const parent = top()
    const isList = shape.kinds & Kind.array && !(shape.kinds & Kind.string) && !/^\s*(?:\[|<|$)/.test(text)
    if (isList && parent?.isObject && parent.listKey === undefined && !parent.pending) {
      beginList(parent, element, shape)
      parent.count = 1
    }
    sink(token, '')
    state = token === Token.beginQuoted ? CDATA : RAW
    isAtStart = true
    isBlock = false
    isSection = token === Token.beginQuoted
    hasInnerOpen = false
    heldBreak = ''
    lead = ''
    if (text) read(text)
  }
  const putText = (piece: string) => {
    let text = piece
    if (isAtStart && text) {
      isAtStart = false
      isBlock = text.startsWith('\n')
      if (isBlock) text = text.slice(1)
    }
    if (isBlock) {
      text = heldBreak + text
      heldBreak = text.endsWith('\n') ? '\n' : ''
      if (heldBreak) text = text.slice(0, -1)
    }
    if (text) sink(Token.text, text)
  }
  const endText = () => {
    sink(Token.endText, '')
    endChild()
  }
  const putEmpty = () => {
    sink(Token.beginRaw, '')
    endText()
  }

  /** A tag is complete: its element begins. */
  const beginElement = (unread: string) => {
    const isTool = frames.length === 0
    const frame = top()
    if (frame) {
      const child = beginChild(frame, tag.name())
      if (!child) return breakOff(`the argument ${JSON.stringify(tag.name())} is given twice`, unread)
      shape = child
    }
    element = tag.name()
    attributes = tag.attributes()
    lead = ''
    headAt = -1
    if (!tag.isSelfClosing()) {
      state = START
    } else if (isTool) {
      commit()
      pushFrame(true, rootShape, false)
      endStructure()
    } else putEmpty()
  }
  const readTag = (char: string) => {
    tag.read(char)
    if (tag.status() === 'done') beginElement(tag.text())
    else if (tag.status() === 'failed') breakOff(`${JSON.stringify(tag.text())} is no tag`, tag.text())
  }
  const beginTag = (name: string, delimiter: string) => {
    tag = createTagReader(name)
    state = TAG
    readTag(delimiter)
  }

  const isChildOf = (parent: Shape, name: string) =>
    parent.isOpen || parent.propertyNames.length === 0 || parent.propertyNames.includes(name)

  /** The first characters of an element's content tell what it is. */
  const readStart = (char: string) => {
    lead += char
    const isTool = frames.length === 0
    if (headAt < 0 && isSpace(char)) {
      if (lead.length > MAX_LEAD_CHARS) isTool ? finish('rejected') : beginText(lead)
      return
    }
    if (headAt < 0) headAt = lead.length - 1
    const head = lead.slice(headAt)
    if (head.charAt(0) !== '<') {
      if (!isTool) return beginText(lead)
      // JSON in place of the children. A brace alone proves nothing.
      if (/^\{\s*$/.test(head)) return
      return /^\{\s*["'}]/.test(head) ? beginText(lead) : finish('rejected')
    }
    if (head !== CDATA_START && CDATA_START.startsWith(head)) return
    if (head === CDATA_START) return isTool ? finish('rejected') : beginText('', Token.beginQuoted)
    if (isTool && COMMENT_START.startsWith(head)) return
    if (head.charAt(1) === '/') return readEmptyStart(isTool)
    if (!(shape.kinds & STRUCTURE) && !isTool) return beginText(lead)
    readFirstChild(head, isTool)
  }
  /** `<path></` : the element is empty, or a text that begins with a close tag. */
  const readEmptyStart = (isTool: boolean) => {
    if (!isTool) return beginText(lead)
    const closeTag = `</${toolName}>`
    const head = lead.slice(headAt)
    if (head === closeTag) {
      commit()
      pushFrame(true, rootShape, false)
      endStructure()
    } else if (!closeTag.startsWith(head)) finish('rejected')
  }
  /** `<user><name` : is that a child, or does a text begin with it? */
  const readFirstChild = (head: string, isTool: boolean) => {
    const delimiter = head.slice(-1)
    if (head.startsWith(COMMENT_START)) {
      if (!head.endsWith('-->')) return
      lead = ''
      headAt = -1
      return
    }
    if (head.length === 1 || !/[\s>/]/.test(delimiter)) {
      const isNoName = head.length > 1 && /[<"'=(){}]/.test(delimiter)
      if (isNoName || head.length > MAX_LEAD_CHARS) isTool ? finish('rejected') : beginText(lead)
      return
    }
    const name = head.slice(1, -1)
    const mayBeText = (shape.kinds & Kind.string) !== 0
    const isKnown =
      shape.propertyNames.includes(name) || (shape.kinds & Kind.array && (name === 'item' || isIndex(name)))
    const isChild = isTool
      ? isChildOf(shape, name)
      : shape.kinds === ANY_KIND
        ? /^[\p{L}\d_]/u.test(name)
        : isKnown || !mayBeText
    if (!isChild || name === '') return isTool ? finish('rejected') : beginText(lead)
    beginStructure(name)
    beginTag(name, delimiter)
  }

  /** Between the children of an element. */
  const readChildren = (char: string) => {
    if (isSpace(char)) return
    lead = char
    if (char === '<') state = BRACKET
    else breakOff('text between the arguments', char)
  }
  const readBracket = (char: string) => {
    lead += char
    if (lead === '</') {
      state = CLOSE_TAG
      return
    }
    if (COMMENT_START.startsWith(lead)) {
      if (lead === COMMENT_START) state = COMMENT
      return
    }
    if (/[\s>/]/.test(char) && lead.length > 2) return beginTag(lead.slice(1, -1), char)
    if (/[\s<>/]/.test(char) || lead.length > MAX_LEAD_CHARS) breakOff('a bracket that opens no tag', lead)
  }
  const readCloseTag = (char: string) => {
    lead += char
    if (char !== '>') {
      if (lead.length > MAX_LEAD_CHARS) breakOff('a close tag without its end', lead)
      return
    }
    const name = lead.slice(2, -1).trim()
    const depth = frames.findLastIndex(frame => frame.tag === name)
    if (depth < 0) return breakOff(`</${name}> closes nothing`, lead)
    while (frames.length > depth && status === 'open') endStructure()
  }
  const readComment = (char: string) => {
    lead = (lead + char).slice(-3)
    if (lead !== '-->') return
    lead = ''
    state = CHILDREN
  }

  const beginLook = () => {
    state = LOOK
    look = '<'
    matched = 1
    followAt = -1
    followTagAt = -1
  }
  /** Takes one more character of a possible end: the close tag, and then what may follow it. */
  const readLook = (char: string) => {
    look += char
    const isClose = look.charAt(1) === '/'
    const target = isClose ? `</${element}` : `<${element}`
    if (matched < target.length) {
      if (char === target.charAt(matched)) matched++
      else rejectEnd()
      return
    }
    if (!isClose) {
      if (isSpace(char) || char === '>') hasInnerOpen = true
      return rejectEnd()
    }
    if (followAt < 0) {
      if (char === '>') {
        followAt = look.length
        if (frames.length === 0 || isSection) acceptEnd()
      } else if (!isSpace(char)) rejectEnd()
      return
    }
    if (look.length - followAt > port.maxHeldChars) return acceptEnd()
    if (followTagAt < 0) {
      if (isSpace(char)) return
      followTagAt = look.length - 1
    }
    judgeFollow(char)
  }
  const judgeFollow = (char: string) => {
    const frame = top()
    const follow = look.slice(followTagAt)
    if (!frame || !follow.startsWith('<')) return rejectEnd()
    const parentClose = `</${frame.tag}`
    if (parentClose.startsWith(follow) || COMMENT_START.startsWith(follow)) {
      if (follow === COMMENT_START) acceptEnd()
      return
    }
    if (follow.startsWith('</')) {
      return follow.startsWith(parentClose) && /[\s>]/.test(char) ? acceptEnd() : rejectEnd()
    }
    if (!/[\s>/]/.test(char)) {
      if (char === '<' || follow.length > MAX_LEAD_CHARS) rejectEnd()
      return
    }
    const name = follow.slice(1, -1)
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const isSibling = !frame.isObject || !hasInnerOpen || isChildOf(frame.shape, name) || name === element
    if (isSibling && isTagName(name)) acceptEnd()
    else rejectEnd()
  }
  const acceptEnd = () => {
    const follow = followAt < 0 ? '' : look.slice(followAt)
    look = ''
    endText()
    if (follow) read(follow)
  }
  /** It was text. Its first character goes out, and the rest is read again: the true end may be in it. */
  const rejectEnd = () => {
    const rest = look.slice(1)
    look = ''
    state = RAW
    putText('<')
    read(rest)
  }
  const readCdata = (char: string) => {
    lead += char
    if (lead.endsWith(']]>')) {
      sink(Token.text, lead.slice(0, -3))
      lead = ''
      state = AFTER_CDATA
      return
    }
    if (lead.length < 3) return
    sink(Token.text, lead.slice(0, -2))
    lead = lead.slice(-2)
  }
  const readAfterCdata = (char: string) => {
    lead += char
    if (lead === CDATA_START) {
      lead = ''
      state = CDATA
    } else if (!CDATA_START.startsWith(lead)) {
      // Space around the section is markup; anything else is the text that goes on behind it.
      const rest = lead.trimStart()
      if (rest === '') return
      const unread = rest.startsWith('<') ? rest : lead
      lead = ''
      state = RAW
      isAtStart = false
      read(unread)
    }
  }

  const step = (char: string) => {
    switch (state) {
      case TAG:
        return readTag(char)
      case START:
        return readStart(char)
      case CHILDREN:
        return readChildren(char)
      case BRACKET:
        return readBracket(char)
      case CLOSE_TAG:
        return readCloseTag(char)
      case COMMENT:
        return readComment(char)
      case LOOK:
        return readLook(char)
      case CDATA:
        return readCdata(char)
      case AFTER_CDATA:
        return readAfterCdata(char)
    }
  }
  const readRaw = (chunk: string, from: number, to: number): number => {
    const bracket = chunk.indexOf('<', from)
    const end = bracket < 0 || bracket >= to ? to : bracket
    if (end > from) putText(chunk.slice(from, end))
    if (end === to) return to
    beginLook()
    return end + 1
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    if (!tail) return to
    const at = tail.feed(chunk, from, to)
    const unread = tail.giveBack()
    if (unread === undefined) return at
    port.close({ code: 'malformed-arguments', message: trouble })
    finish('done', unread)
    return at
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'open') {
      if (state === RAW) at = readRaw(chunk, at, to)
      else if (state === BROKEN) at = readBroken(chunk, at, to)
      else step(chunk.charAt(at++))
    }
    return at
  }
  const read = (text: string) => {
    feed(text, 0, text.length)
  }

  return {
    feed,
    end(isCut) {
      if (!writer) return finish('rejected')
      if (state === BROKEN) {
        tail?.end()
        return closeCall({ code: 'malformed-arguments', message: trouble })
      }
      // A close tag at the very end needs no proof.
      if (state === LOOK && followAt >= 0) acceptEnd()
      else if (state === AFTER_CDATA) endText()
      const isBetween =
        status === 'open' && (state === CHILDREN || (state === CLOSE_TAG && !isCut) || (state === BRACKET && !isCut))
      if (isBetween && !isCut) while (frames.length && status === 'open') endStructure()
      if (status === 'open') closeCall({ code: 'cut-call', message: 'the text ended inside the arguments' })
    },
    status: () => status,
    giveBack: () => givenBack,
  }
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const names = tools.names().filter(name => forcedToolName === undefined || name === forcedToolName)
  const opens = names.map(name => `<${name}`)
  return names.map(toolName => ({
    text: `<${toolName}`,
    createBody: port => createElementBody(port, { toolName, opens }),
  }))
}
