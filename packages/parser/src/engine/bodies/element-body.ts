import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { isAtMark, matchMarks } from '../match-marks.js'
import { createRawText, type RawText, SECTION_START } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import type { ElementEnvelope, ElementSyntax } from './element-syntax.js'
import { createElementTree, type ElementStart, isItemTag } from './element-tree.js'
import { CUT, createMarkup } from './markup.js'
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
interface ElementGrammar extends ElementSyntax {
  readonly tag: string
  readonly envelope?: ElementEnvelope | undefined
  readonly forcedToolName: string | undefined
  /** What opens the next call, and so also ends one that cannot be read. */
  readonly opens: readonly string[]
}

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512
/** A tag's name, or the space in front of a value, that is longer than this is none. */
const MAX_LEAD_CHARS = 4096
/** A tag with a tool's name that is longer than this is none. */
const MAX_HEAD_CHARS = 512

// Where the body stands.
const TAG = 0 //        <path| a="b">
const START = 1 //      <path>|  …               what is this element's content?
const CHILDREN = 2 //   <write_file> | <path>
const BRACKET = 3 //    <write_file> <|path>     a child, a close tag or a comment?
const CLOSE_TAG = 4 //  <write_file> … </wri|te_file>
const COMMENT = 5 //    <!-- | -->
const TEXT = 6 //       <path>a.h|tml</path>

const endsName = (char: string) => isSpace(char) || char === '>' || char === '/'
const isTagName = (name: string) => /^[\p{L}\p{N}_][^<>"'=]*$/u.test(name)
const mayHold = (shape: Shape, tag: string) => shape.isOpen || shape.propertyNames.includes(tag)
/** As far as it can be told, this tag is an argument's. */
const declares = (shape: Shape, tag: string) => shape.propertyNames.length === 0 || shape.propertyNames.includes(tag)

export function createElementBody(port: CallPort, grammar: ElementGrammar): Body {
  const { tag: toolTag, forcedToolName, opens, bracket, isVerbatim, envelope } = grammar
  const closeOf = (tag: string) => `${bracket}/${tag}>`
  const commentStart = `${bracket}!--`
  const sectionCloses = envelope ? [closeOf(envelope.section)] : []
  const toolCloses = [closeOf(toolTag), ...sectionCloses]
  let writtenName = toolTag
  let rootShape = port.tools.shapeOf(forcedToolName ?? toolTag)
  const tree = createElementTree(port.maxHeldChars)
  const { writer, closeLast, finish, isOpen, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: toolCloses,
    opens,
  })
  let state = TAG
  let tag: TagReader = createTagReader(bracket, toolTag)
  /** The element whose content begins. */
  let element: ElementStart = { tag: toolTag, shape: rootShape, attributes: [] }
  let text: RawText | undefined
  /** What was read of a content, a bracket or a close tag that is not decided yet. */
  let lead = ''
  /** Where in it the first character stands that is not space. */
  let headAt = -1
  let afterComment = CHILDREN

  const commit = () => {
    if (!writer()) tree.begin(markup.openCall(writtenName).put)
  }
  /** What follows cannot be read; without a call yet it was prose. */
  const breakOff = (message: string, unread: string) => {
    if (!writer()) return finish('rejected')
    const rest = markup.breakOff(message, unread)
    // The end of the section is markup behind a broken call too.
    if (!sectionCloses.includes(rest.trim())) markup.unread(rest.length)
  }
  const goOn = () => {
    state = CHILDREN
    lead = ''
    if (tree.depth() === 0) closeLast()
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
    tree.beginText(element, beginning.trimStart().startsWith(bracket) ? '' : beginning, isSection)
    text = createRawText({
      sink: tree.put,
      close: closeOf(element.tag),
      open: `${bracket}${element.tag}`,
      stops: toolCloses.slice(0, 1),
      isSection,
      isVerbatim,
      maxHeldChars: port.maxHeldChars,
      canFollow: (behind, hasInnerOpen) => isSection || canFollow(behind, hasInnerOpen),
      canStop: (behind, _stop, hasInnerClose) => hasInnerClose || isScalar() || startsCall(behind),
    })
    state = TEXT
    lead = ''
    body.feed(beginning, 0, beginning.length)
  }
  /** A number or a constant holds no tags. */
  const isScalar = () => !(element.shape.kinds & (Kind.string | Kind.object | Kind.array))
  /** Another call begins: then this one was over, whatever is missing. */
  const startsCall = (behind: string) => isAtMark(behind, [...opens, ...sectionCloses])
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string, hasInnerOpen: boolean): boolean | undefined => {
    const parent = tree.parent()
    if (!parent || isScalar()) return true
    if (behind === '') return undefined
    const isMark = isAtMark(behind, [closeOf(parent.tag), ...sectionCloses, commentStart])
    if (isMark !== false) return isMark
    const isTag = behind.startsWith(bracket) && behind.charAt(bracket.length) !== '/'
    if (!isTag || behind.length > MAX_LEAD_CHARS) return false
    if (!endsName(behind.slice(-1))) return behind.endsWith('<') ? false : undefined
    const name = behind.slice(bracket.length, -1)
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const isSibling = !parent.isObject || !hasInnerOpen || declares(parent.shape, name) || name === element.tag
    return isSibling && isTagName(name)
  }
  const endText = () => {
    const behind = text?.behind() ?? ''
    text = undefined
    tree.endText()
    goOn()
    body.feed(behind, 0, behind.length)
  }

  /** Takes the tool's name from its tag. False if there is none. */
  const readToolName = (attribute: string): boolean => {
    writtenName =
      tag
        .attributes()
        .find(([key]) => key === attribute)?.[1]
        .trim() ?? ''
    rootShape = port.tools.shapeOf(forcedToolName ?? writtenName)
    if (port.tools.has(writtenName)) commit()
    return writtenName !== ''
  }
  /** An open tag is complete: its element begins. */
  const beginElement = () => {
    const name = tag.name()
    const isTool = tree.depth() === 0
    if (isTool && envelope && !readToolName(envelope.attribute)) return finish('rejected')
    const shape = isTool ? rootShape : tree.beginChild(name)
    if (!shape) return breakOff(`the argument ${JSON.stringify(name)} is given twice`, tag.text())
    element = { tag: name, shape, attributes: isTool && envelope ? [] : tag.attributes() }
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
    if (envelope && tree.depth() === 0 && tag.text().length > MAX_HEAD_CHARS) finish('rejected')
    else if (tag.status() === 'done') beginElement()
    else if (tag.status() === 'failed') breakOff(`${JSON.stringify(tag.text())} is no tag`, tag.text())
  }
  const beginTag = (name: string, delimiter: string) => {
    tag = createTagReader(bracket, name)
    state = TAG
    readTag(delimiter)
  }

  /** The element holds text; a tool holds arguments, so there it was prose. */
  const holdsText = () => (tree.depth() === 0 ? breakOff('text in place of the arguments', lead) : beginText(lead))
  /** The first characters of an element's content tell what it is. */
  const readStart = (char: string) => {
    lead += char
    const isTool = tree.depth() === 0
    if (headAt < 0) {
      if (isSpace(char)) return lead.length > MAX_LEAD_CHARS ? holdsText() : undefined
      headAt = lead.length - 1
    }
    const head = lead.slice(headAt)
    if (head.length < bracket.length && bracket.startsWith(head)) return
    if (!head.startsWith(bracket)) {
      // JSON in place of the arguments. A brace alone proves nothing.
      if (!isTool || !head.startsWith('{')) return holdsText()
      if (head === '{' || (isSpace(char) && head.length < MAX_LEAD_CHARS)) return
      return /["'}]/.test(char) ? beginText(lead) : holdsText()
    }
    if (head === SECTION_START) return isTool ? holdsText() : beginText('', true)
    if (SECTION_START.startsWith(head)) return
    if (isTool && commentStart.startsWith(head)) {
      if (head === commentStart) beginComment(START)
      return
    }
    if (head.startsWith(`${bracket}/`)) return readEmpty(head, isTool)
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
    const match = matchMarks(head, toolCloses)
    if (match === 'none') holdsText()
    else if (match !== 'maybe') putEmptyCall()
  }
  /** `<user><name` : is that a child, or does a text begin with it? */
  const readFirstChild = (head: string, char: string, isTool: boolean) => {
    if (head.length === bracket.length || !endsName(char)) {
      const isNoName = (head.length > bracket.length && /[<"'=(){}]/.test(char)) || head.length > MAX_LEAD_CHARS
      return isNoName ? holdsText() : undefined
    }
    const name = head.slice(bracket.length, -1)
    const { shape } = element
    if (isTool && envelope && opensCall(name)) return writer() ? leaveUnclosed(putEmptyCall) : finish('rejected')
    const isKnown = shape.propertyNames.includes(name) || ((shape.kinds & Kind.array) !== 0 && isItemTag(name))
    const isLikely = shape.kinds === ANY_KIND || !(shape.kinds & Kind.string)
    if (
      !isTagName(name) ||
      !(isTool ? envelope || mayHold(shape, name) || mayHold(port.tools.shapeOf(toolTag), name) : isKnown || isLikely)
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
    if (bracket.startsWith(char)) state = BRACKET
    else breakOff('text between the arguments', char)
  }
  /** Another tool's tag, or this one's again, where an argument should be: the call was not closed. */
  const opensCall = (name: string) =>
    opens.includes(bracket + name) && !(envelope ? rootShape.propertyNames.includes(name) : mayHold(rootShape, name))
  const leaveUnclosed = (endCall: () => void) => {
    const unread = lead.trimStart().length
    endCall()
    markup.unread(unread)
  }
  const readBracket = (char: string) => {
    lead += char
    if (lead === `${bracket}/`) state = CLOSE_TAG
    else if (commentStart.startsWith(lead)) {
      if (lead === commentStart) beginComment(CHILDREN)
    } else if (!lead.startsWith(bracket)) breakOff('text between the arguments', lead)
    else if (endsName(char) && lead.length > bracket.length + 1) {
      const name = lead.slice(bracket.length, -1)
      if (tree.depth() === 1 && opensCall(name)) return leaveUnclosed(endStructure)
      beginTag(name, char)
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
    const name = lead.slice(bracket.length + 1, -1).trim()
    const isSection = name === envelope?.section
    if (!tree.isOpen(name) && !isSection) return breakOff(`</${name}> closes nothing`, lead)
    // Elements inside it that were not closed are closed with it.
    for (let isLast = false; !isLast && isOpen(); ) {
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
  const readText = (chunk: string, from: number, to: number): number => {
    if (!text) return to
    const at = text.feed(chunk, from, to)
    if (text.isDone()) endText()
    else if (text.stopped() !== undefined)
      breakOff(`it cannot be told where <${element.tag}> ends`, text.stopped() ?? '')
    return at
  }

  const body = markup.createBody({
    state: () => state,
    chars: {
      [TAG]: readTag,
      [START]: readStart,
      [CHILDREN]: readChildren,
      [BRACKET]: readBracket,
      [CLOSE_TAG]: readCloseTag,
      [COMMENT]: readComment,
    },
    chunks: { [TEXT]: readText },
    end(isCut) {
      if (!writer()) return finish('rejected')
      if (text?.end()) endText()
      // Only close tags are missing: the model forgot them, if it was not stopped.
      const isBetween = state === CHILDREN || state === BRACKET || state === CLOSE_TAG
      while (isBetween && !isCut && isOpen()) endStructure()
      if (isOpen()) closeLast(0, CUT)
    },
  })
  return body
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createElementBody(port, { tag, forcedToolName, opens, bracket: '<' }),
  }))
}
