import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { isAtMark } from '../match-marks.js'
import { createRawText, type RawText, SECTION_START } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { createElementTree, type ElementStart, isItemTag } from './element-tree.js'
import { CUT, createMarkup } from './markup.js'
import { betweenCalls, sectionMarks } from './section.js'
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
  readonly isInSection?: boolean
  readonly forcedToolName: string | undefined
  /** What opens the next call, and so also ends one that cannot be read. */
  readonly opens: readonly string[]
}

/** How elements are written. */
interface ElementSyntax {
  /** What every tag begins with. */
  readonly bracket: string
  /** A text is all that stands between its tags: neither line breaks around it nor CDATA are markup. */
  readonly isVerbatim?: boolean | undefined
}

/** All calls have one tag, with the tool's name as an attribute, and stand in sections. */
interface ElementEnvelope {
  readonly tag: string
  readonly attribute: string
  /** The section's tag. Its end is also that of a call in it. */
  readonly section: string
}

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512
/** A tag's name, or the space in front of a value, that is longer than this is none. */
const MAX_LEAD_CHARS = 4096
/** A tag with a tool's name that is longer than this is none. */
const MAX_HEAD_CHARS = 512

const endsName = (char: string) => isSpace(char) || char === '>' || char === '/'
const isTagName = (name: string) => /^[\p{L}\p{N}_][^<>"'=]*$/u.test(name)
const mayHold = (shape: Shape, tag: string) => shape.isOpen || shape.propertyNames.includes(tag)
/** A number or a constant holds no tags. */
const isScalar = (shape: Shape) => !(shape.kinds & (Kind.string | Kind.object | Kind.array))

export function createElementBody(port: CallPort, grammar: ElementGrammar): Body {
  const { tag: toolTag, forcedToolName, opens, bracket, isVerbatim, envelope } = grammar
  const closeOf = (tag: string) => `${bracket}/${tag}>`
  const commentStart = `${bracket}!--`
  const section = envelope && { open: `${bracket}${envelope.section}>`, close: closeOf(envelope.section) }
  const sectionCloses = section ? [section.close] : []
  const markup = createMarkup(port, {
    forcedToolName,
    ends: [closeOf(toolTag)],
    opens: [...opens, ...sectionCloses],
    goOn: section && (() => markup.goTo(readAround)),
  })
  const { writer, closeLast, leave, isOpen, readAgain, isAt } = markup
  let writtenName = toolTag
  let rootShape = port.tools.shapeOf(forcedToolName ?? toolTag)
  let tree = createElementTree(port.maxHeldChars)
  let tag: TagReader = createTagReader(bracket, toolTag)
  /** The element whose content begins. */
  let element: ElementStart = { tag: toolTag, shape: rootShape, attributes: [] }
  let text: RawText | undefined
  /** The space before what is not decided yet, and that itself: a content or a tag. */
  let space = ''
  let head = ''

  const begin = () => {
    tree = createElementTree(port.maxHeldChars)
    tag = createTagReader(bracket, toolTag)
    goTo(readTag)
  }
  const commit = () => {
    if (!writer()) tree.begin(markup.openCall(writtenName).put)
  }
  /** What follows cannot be read; without a call yet it was prose. */
  const breakOff = (message: string, unread: string) => (writer() ? markup.breakOff(message, unread) : leave())
  const goTo: typeof markup.goTo = (next, after) => {
    markup.goTo(next, after)
    space = ''
    head = ''
  }
  const goOn = () => {
    goTo(readChildren)
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
    const { shape } = element
    text = createRawText({
      sink: tree.put,
      close: closeOf(element.tag),
      open: `${bracket}${element.tag}`,
      stops: [closeOf(toolTag)],
      isSection,
      isVerbatim,
      maxHeldChars: port.maxHeldChars,
      canFollow: (behind, hasInnerOpen) => isSection || canFollow(behind, hasInnerOpen),
      // Another call begins: then this one was over, whatever is missing.
      canStop: (behind, _stop, hasInnerClose) =>
        hasInnerClose || isScalar(shape) || isAtMark(behind, [...opens, ...sectionCloses]),
    })
    goTo(text, afterText)
    readAgain(beginning)
  }
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string, hasInnerOpen: boolean): boolean | undefined => {
    const parent = tree.parent()
    if (!parent || isScalar(element.shape)) return true
    const isMark = isAtMark(behind, [closeOf(parent.tag), ...sectionCloses, commentStart])
    if (isMark !== false) return isMark
    const found = behind.charAt(bracket.length) === '/' ? 'text' : lookAt(behind, /</)
    if (found !== 'child') return found === 'maybe' ? undefined : false
    const name = behind.slice(bracket.length, -1)
    const names = parent.shape.propertyNames
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const isKnown = names.length === 0 || names.includes(name) || name === element.tag
    return (!parent.isObject || !hasInnerOpen || isKnown) && isTagName(name)
  }
  const endText = () => {
    readAgain(text?.behind() ?? '')
    text = undefined
    tree.endText()
    goOn()
  }
  const afterText = () => {
    const stopped = text?.stopped()
    if (text?.isDone()) endText()
    else if (stopped !== undefined) breakOff(`it cannot be told where <${element.tag}> ends`, stopped)
  }

  /** Takes the tool's name from its tag. */
  const readToolName = (attribute: string) => {
    writtenName = (tag.attributes().find(([key]) => key === attribute)?.[1] ?? '').trim()
    rootShape = port.tools.shapeOf(forcedToolName ?? writtenName)
    if (port.tools.has(writtenName)) commit()
  }
  /** An open tag is complete: its element begins. */
  const beginElement = () => {
    const name = tag.name()
    const isTool = tree.depth() === 0
    if (isTool && envelope) readToolName(envelope.attribute)
    if (writtenName === '') return leave()
    const shape = isTool ? rootShape : tree.beginChild(name)
    if (!shape) return breakOff(`the argument ${JSON.stringify(name)} is given twice`, tag.text())
    element = { tag: name, shape, attributes: isTool && envelope ? [] : tag.attributes() }
    goTo(readStart)
    if (!tag.isSelfClosing()) return
    if (isTool) return putEmptyCall()
    tree.beginText(element, '', false)
    tree.endText()
    goOn()
  }
  const readTag = (char: string) => {
    tag.read(char)
    if (envelope && tree.depth() === 0 && tag.text().length > MAX_HEAD_CHARS) leave()
    else if (tag.status() === 'done') beginElement()
    else if (tag.status() === 'failed') breakOff(`${JSON.stringify(tag.text())} is no tag`, tag.text())
  }
  const beginTag = (name: string) => {
    readAgain(head.slice(-1))
    tag = createTagReader(bracket, name)
    goTo(readTag)
  }

  /** What begins where a child may stand. */
  const lookAt = (found: string, noName: RegExp) => {
    if (found.length <= bracket.length) return bracket.startsWith(found) ? 'maybe' : 'text'
    if (!found.startsWith(bracket) || found.length > MAX_LEAD_CHARS) return 'text'
    if (found === commentStart) return 'comment'
    if (found === SECTION_START) return 'section'
    if (commentStart.startsWith(found) || SECTION_START.startsWith(found)) return 'maybe'
    const last = found.slice(-1)
    if (found.charAt(bracket.length) === '/') return last === '>' ? 'close' : 'maybe'
    if (endsName(last)) return 'child'
    return noName.test(last) ? 'text' : 'maybe'
  }
  /** The element holds text; a tool holds arguments, so there it was prose. */
  const holdsText = () =>
    tree.depth() === 0 ? breakOff('text in place of the arguments', space + head) : beginText(space + head)
  /** The first characters of an element's content tell what it is. */
  const readStart = (char: string) => {
    const isTool = tree.depth() === 0
    if (head === '' && isSpace(char)) {
      space += char
      return space.length > MAX_LEAD_CHARS ? holdsText() : undefined
    }
    head += char
    if (isTool && head.startsWith('{')) {
      // JSON in place of the arguments. A brace alone proves nothing.
      if (head === '{' || (isSpace(char) && head.length < MAX_LEAD_CHARS)) return
      return /["'}]/.test(char) ? beginText(space + head) : holdsText()
    }
    const found = lookAt(head, /[<"'=(){}]/)
    if (found === 'section' && !isTool) return beginText('', true)
    const mayHoldTags = (element.shape.kinds & (Kind.object | Kind.array)) !== 0 && !head.startsWith(`${bracket}/`)
    if (found === 'maybe' && (isTool || mayHoldTags || SECTION_START.startsWith(head) || bracket.startsWith(head)))
      return
    if (found === 'comment' && isTool) return goTo(readComment)
    if (found === 'close' && isTool && [closeOf(toolTag), ...sectionCloses].includes(head)) {
      if (head !== closeOf(toolTag)) readAgain(head)
      return putEmptyCall()
    }
    if (found !== 'child' || !(isTool || mayHoldTags)) return holdsText()
    readFirstChild(head.slice(bracket.length, -1), isTool)
  }
  /** `<user><name` : is that a child, or does a text begin with it? */
  const readFirstChild = (name: string, isTool: boolean) => {
    const { shape } = element
    if (isTool && envelope && opensCall(name)) return writer() ? leaveUnclosed(putEmptyCall) : leave()
    const isKnown = shape.propertyNames.includes(name) || ((shape.kinds & Kind.array) !== 0 && isItemTag(name))
    const isLikely = shape.kinds === ANY_KIND || !(shape.kinds & Kind.string)
    const isArgument = envelope || mayHold(shape, name) || mayHold(port.tools.shapeOf(toolTag), name)
    if (!isTagName(name) || !(isTool ? isArgument : isKnown || isLikely)) return holdsText()
    if (tree.depth() === MAX_DEPTH) return breakOff(`nested deeper than ${MAX_DEPTH} levels`, head)
    commit()
    tree.beginStructure(element, name)
    beginTag(name)
  }

  /** Another tool's tag, or this one's again, where an argument should be: the call was not closed. */
  const opensCall = (name: string) =>
    opens.includes(bracket + name) && !(envelope ? rootShape.propertyNames.includes(name) : mayHold(rootShape, name))
  const leaveUnclosed = (endCall: () => void) => {
    readAgain(head)
    endCall()
  }
  /** Between the children of an element. */
  const readChildren = (char: string) => {
    if (head === '' && isSpace(char)) return
    head += char
    const found = lookAt(head, /</)
    if (found === 'maybe') return
    const name = head.slice(bracket.length, -1)
    if (found === 'comment') goTo(readComment)
    else if (found === 'close') closeElement(name.slice(1).trim())
    else if (found !== 'child' || name === '') breakOff('text between the arguments', head)
    else if (tree.depth() === 1 && opensCall(name)) leaveUnclosed(endStructure)
    else beginTag(name)
  }
  const closeElement = (name: string) => {
    const isSection = name === envelope?.section
    if (!tree.isOpen(name) && !isSection) return breakOff(`</${name}> closes nothing`, head)
    if (isSection) readAgain(head)
    // Elements inside it that were not closed are closed with it.
    for (let isLast = false; !isLast && tree.depth() > 0; ) {
      isLast = tree.parent()?.tag === name
      endStructure()
    }
  }
  const readComment = (char: string) => {
    head = (head + char).slice(-3)
    if (head === '-->') goTo(tree.depth() === 0 ? readStart : readChildren)
  }

  const readAround = betweenCalls(markup, { section, open: bracket + toolTag, begin })
  return markup.bodyOf(grammar.isInSection ? readAround : readTag, isCut => {
    if (isAt(readAround)) return markup.leaveAtEnd(sectionCloses)
    if (!writer()) return leave()
    if (text?.end()) endText()
    if (!markup.readAllPending()) return
    // Only close tags are missing: the model forgot them, if it was not stopped.
    while (isAt(readChildren) && !isCut && isOpen()) endStructure()
    if (writer()) closeLast(0, CUT)
  })
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createElementBody(port, { tag, forcedToolName, opens, bracket: '<' }),
  }))
}

/** Calls as elements of one tag, in sections of them: `<calls><call name="f"><city>Paris</city></call></calls>`. */
export function envelopedElementCalls(syntax: ElementSyntax, envelope: ElementEnvelope): CallGrammar {
  const { tag, section } = envelope
  const { bracket } = syntax
  const open = `${bracket}${tag}`
  return ({ forcedToolName }) =>
    sectionMarks({ open: `${bracket}${section}>`, close: `${bracket}/${section}>` }, open, (port, isInSection) =>
      createElementBody(port, { ...syntax, envelope, tag, forcedToolName, opens: [open], isInSection }),
    )
}
