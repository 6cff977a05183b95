import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { matchMarks } from '../match-marks.js'
import { createRawText, type RawText, SECTION_START } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { createElementTree, type ElementStart, isItemTag } from './element-tree.js'
import { openCall } from './open-call.js'
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
 * Strings are raw text (see raw-text.ts); `<![CDATA[…]]>` is read back as the text that it holds. An object or a list may
 * also be written as JSON.
 */
export interface ElementGrammar {
  readonly tag: string
  /** The tool that is called: the tag's, or the one that is forced. */
  readonly toolName: string
  /** What opens the next call, and so also ends one that cannot be read. */
  readonly opens: readonly string[]
}

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512
const COMMENT_START = '<!--'
/** A tag's name, or the space in front of a value, that is longer than this is none. */
const MAX_LEAD_CHARS = 4096

// Where the body stands.
const TAG = 0 //        <path| a="b">
const START = 1 //      <path>|  …               what is this element's content?
const CHILDREN = 2 //   <write_file> | <path>
const BRACKET = 3 //    <write_file> <|path>     a child, a close tag or a comment?
const CLOSE_TAG = 4 //  <write_file> … </wri|te_file>
const COMMENT = 5 //    <!-- | -->
const TEXT = 6 //       <path>a.h|tml</path>
const BROKEN = 7
const OVER = 8

const endsName = (char: string) => isSpace(char) || char === '>' || char === '/'
const isTagName = (name: string) => /^[\p{L}\p{N}_][^<>"'=]*$/u.test(name)
const mayHold = (shape: Shape, tag: string) => shape.isOpen || shape.propertyNames.includes(tag)
/** As far as it can be told, this tag is an argument's. */
const declares = (shape: Shape, tag: string) => shape.propertyNames.length === 0 || shape.propertyNames.includes(tag)

export function createElementBody(port: CallPort, { tag: toolTag, toolName, opens }: ElementGrammar): Body {
  const rootShape = port.tools.shapeOf(toolName)
  const toolClose = `</${toolTag}>`
  const tree = createElementTree(port.maxHeldChars)
  let state = TAG
  let status: BodyStatus = 'open'
  let givenBack = 0
  let writer: ArgumentWriter | undefined
  /** Reads what is left of a call that cannot be read, and why it cannot. */
  let tail: BrokenTail | undefined
  let trouble = ''
  let tag: TagReader = createTagReader(toolTag)
  /** The element whose content begins. */
  let element: ElementStart = { tag: toolTag, shape: rootShape, attributes: [] }
  let text: RawText | undefined
  /** What was read of a content, a bracket or a close tag that is not decided yet. */
  let lead = ''
  /** Where in it the first character stands that is not space. */
  let headAt = -1
  let afterComment = CHILDREN

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  const closeCall = (problem?: Problem) => {
    port.close(problem)
    finish('done')
  }
  const commit = () => {
    if (writer) return
    writer = openCall(port, toolTag, toolName)
    tree.begin(writer.put)
  }
  /** What follows cannot be read; without a call yet it was prose. */
  const breakOff = (message: string, unread: string) => {
    if (!writer) return finish('rejected')
    trouble = message
    state = BROKEN
    tail = createBrokenTail(port, [toolClose], opens)
    const at = readBroken(unread, 0, unread.length)
    if (status !== 'open') givenBack += unread.length - at
  }
  const goOn = () => {
    state = CHILDREN
    lead = ''
    if (tree.depth() === 0) closeCall()
  }
  const endStructure = () => {
    tree.endStructure()
    goOn()
  }
  /** A call without arguments, but for attributes. */
  const putEmptyCall = () => {
    commit()
    tree.beginStructure(element, '')
    endStructure()
  }

  const beginText = (beginning: string, isSection = false) => {
    commit()
    tree.beginText(element, beginning, isSection)
    text = createRawText({
      sink: tree.put,
      close: `</${element.tag}>`,
      open: `<${element.tag}`,
      stops: [toolClose],
      isSection,
      maxHeldChars: port.maxHeldChars,
      canFollow: (behind, hasInnerOpen) => isSection || canFollow(behind, hasInnerOpen),
      canStop: (behind, _stop, hasInnerClose) => hasInnerClose || isScalar() || startsCall(behind),
    })
    state = TEXT
    lead = ''
    feed(beginning, 0, beginning.length)
  }
  /** A number or a constant holds no tags. */
  const isScalar = () => !(element.shape.kinds & (Kind.string | Kind.object | Kind.array))
  /** Another call begins: then this one was over, whatever is missing. */
  const startsCall = (behind: string): boolean | undefined => {
    if (behind === '') return undefined
    const match = matchMarks(behind, opens)
    return match === 'maybe' ? undefined : match !== 'none'
  }
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string, hasInnerOpen: boolean): boolean | undefined => {
    const parent = tree.parent()
    if (!parent || isScalar()) return true
    if (behind === '') return undefined
    const parentClose = `</${parent.tag}>`
    if (parentClose.startsWith(behind)) return behind === parentClose || undefined
    if (COMMENT_START.startsWith(behind)) return behind === COMMENT_START || undefined
    const last = behind.slice(-1)
    if (!behind.startsWith('<') || behind.startsWith('</') || behind.length > MAX_LEAD_CHARS) return false
    if (behind.length === 1 || !endsName(last)) return last === '<' && behind.length > 1 ? false : undefined
    const name = behind.slice(1, -1)
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const isSibling = !parent.isObject || !hasInnerOpen || declares(parent.shape, name) || name === element.tag
    return isSibling && isTagName(name)
  }
  const endText = () => {
    const behind = text?.behind() ?? ''
    text = undefined
    tree.endText()
    goOn()
    feed(behind, 0, behind.length)
  }

  /** An open tag is complete: its element begins. */
  const beginElement = () => {
    const name = tag.name()
    const isTool = tree.depth() === 0
    const shape = isTool ? rootShape : tree.beginChild(name)
    if (!shape) return breakOff(`the argument ${JSON.stringify(name)} is given twice`, tag.text())
    element = { tag: name, shape, attributes: tag.attributes() }
    lead = ''
    headAt = -1
    state = START
    if (!tag.isSelfClosing()) return
    if (isTool) return putEmptyCall()
    tree.beginText(element, '', false)
    tree.endText()
    goOn()
  }
  const readTag = (char: string) => {
    tag.read(char)
    if (tag.status() === 'done') beginElement()
    else if (tag.status() === 'failed') breakOff(`${JSON.stringify(tag.text())} is no tag`, tag.text())
  }
  const beginTag = (name: string, delimiter: string) => {
    tag = createTagReader(name)
    state = TAG
    readTag(delimiter)
  }

  /** The element holds text; a tool holds arguments, so there it was prose. */
  const holdsText = () => (tree.depth() === 0 ? finish('rejected') : beginText(lead))
  /** The first characters of an element's content tell what it is. */
  const readStart = (char: string) => {
    lead += char
    const isTool = tree.depth() === 0
    if (headAt < 0) {
      if (isSpace(char)) return lead.length > MAX_LEAD_CHARS ? holdsText() : undefined
      headAt = lead.length - 1
    }
    const head = lead.slice(headAt)
    if (!head.startsWith('<')) {
      // JSON in place of the arguments. A brace alone proves nothing.
      if (!isTool || !head.startsWith('{')) return holdsText()
      if (head === '{' || (isSpace(char) && head.length < MAX_LEAD_CHARS)) return
      return /["'}]/.test(char) ? beginText(lead) : finish('rejected')
    }
    if (head === SECTION_START) return isTool ? finish('rejected') : beginText('', true)
    if (SECTION_START.startsWith(head)) return
    if (isTool && COMMENT_START.startsWith(head)) {
      if (head === COMMENT_START) beginComment(START)
      return
    }
    if (head.startsWith('</')) return readEmpty(head, isTool)
    if (!isTool && !(element.shape.kinds & (Kind.object | Kind.array))) return beginText(lead)
    readFirstChild(head, char, isTool)
  }
  const beginComment = (then: number) => {
    state = COMMENT
    afterComment = then
    lead = ''
  }
  /** `<path></` : nothing in it, or a text that begins with a close tag. */
  const readEmpty = (head: string, isTool: boolean) => {
    if (!isTool) return beginText(lead)
    if (head === toolClose) putEmptyCall()
    else if (!toolClose.startsWith(head)) finish('rejected')
  }
  /** `<user><name` : is that a child, or does a text begin with it? */
  const readFirstChild = (head: string, char: string, isTool: boolean) => {
    if (head.length === 1 || !endsName(char)) {
      const isNoName = (head.length > 1 && /[<"'=(){}]/.test(char)) || head.length > MAX_LEAD_CHARS
      return isNoName ? holdsText() : undefined
    }
    const name = head.slice(1, -1)
    const { shape } = element
    const isKnown = shape.propertyNames.includes(name) || ((shape.kinds & Kind.array) !== 0 && isItemTag(name))
    const isLikely = shape.kinds === ANY_KIND || !(shape.kinds & Kind.string)
    if (
      !isTagName(name) ||
      !(isTool ? mayHold(shape, name) || mayHold(port.tools.shapeOf(toolTag), name) : isKnown || isLikely)
    )
      return holdsText()
    if (tree.depth() === MAX_DEPTH) return breakOff(`nested deeper than ${MAX_DEPTH} levels`, lead)
    commit()
    tree.beginStructure(element, name)
    beginTag(name, char)
  }

  /** Between the children of an element. */
  const readChildren = (char: string) => {
    if (isSpace(char)) return
    lead = char
    if (char === '<') state = BRACKET
    else breakOff('text between the arguments', char)
  }
  /** Another tool's tag, or this one's again, where an argument should be: the call was not closed. */
  const isNextCall = (name: string) => tree.depth() === 1 && port.tools.has(name) && !mayHold(rootShape, name)
  const leaveUnclosed = () => {
    const unread = lead.length
    endStructure()
    givenBack = unread
  }
  const readBracket = (char: string) => {
    lead += char
    if (lead === '</') state = CLOSE_TAG
    else if (COMMENT_START.startsWith(lead)) {
      if (lead === COMMENT_START) beginComment(CHILDREN)
    } else if (endsName(char) && lead.length > 2) {
      if (isNextCall(lead.slice(1, -1))) return leaveUnclosed()
      beginTag(lead.slice(1, -1), char)
    } else if (endsName(char) || char === '<' || lead.length > MAX_LEAD_CHARS) {
      breakOff('a bracket that opens no tag', lead)
    }
  }
  const readCloseTag = (char: string) => {
    lead += char
    if (char !== '>') {
      if (lead.length > MAX_LEAD_CHARS) breakOff('a close tag without its end', lead)
      return
    }
    const name = lead.slice(2, -1).trim()
    if (!tree.isOpen(name)) return breakOff(`</${name}> closes nothing`, lead)
    // Elements inside it that were not closed are closed with it.
    for (let isLast = false; !isLast && status === 'open'; ) {
      isLast = tree.parent()?.tag === name
      endStructure()
    }
  }
  const readComment = (char: string) => {
    lead = (lead + char).slice(-3)
    if (lead !== '-->') return
    state = afterComment
    lead = ''
    headAt = -1
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
  const readText = (chunk: string, from: number, to: number): number => {
    if (!text) return to
    const at = text.feed(chunk, from, to)
    if (text.isDone()) endText()
    else if (text.stopped() !== undefined)
      breakOff(`it cannot be told where <${element.tag}> ends`, text.stopped() ?? '')
    return at
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
    }
  }
  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'open') {
      if (state === TEXT) at = readText(chunk, at, to)
      else if (state === BROKEN) at = readBroken(chunk, at, to)
      else step(chunk.charAt(at++))
    }
    return at
  }

  return {
    feed,
    end(isCut) {
      if (!writer) return finish('rejected')
      if (state === BROKEN) {
        tail?.end()
        return closeCall({ code: 'malformed-arguments', message: trouble })
      }
      if (text?.end()) endText()
      // Only close tags are missing: the model forgot them, if it was not stopped.
      const isBetween = state === CHILDREN || state === BRACKET || state === CLOSE_TAG
      while (isBetween && !isCut && status === 'open') endStructure()
      if (status === 'open') closeCall({ code: 'cut-call', message: 'the text ended inside the arguments' })
    },
    status: () => status,
    giveBack: () => givenBack,
  }
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createElementBody(port, { tag, toolName: forcedToolName ?? tag, opens }),
  }))
}
