import type { CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { isAtMark } from '../match-marks.js'
import type { OldBody as Body } from '../old-body.js'
import { createRawText, type RawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape, silentShape } from '../shape.js'
import { Token } from '../value-token.js'
import { createElementTree, type Element, isItemTag } from './element-tree.js'
import { createTagCall, type TagCallGrammar, type TagCallPlace, tagCalls } from './tag-call.js'
import { createTagReader } from './tag-reader.js'

/**
 * Calls in tags whose arguments are elements, and so are the parts of an argument:
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
export interface ElementGrammar extends TagCallGrammar {
  /** What every tag begins with. */
  readonly bracket: string
  /** A text is all that stands between its tags: neither line breaks around it nor CDATA are markup. */
  readonly isVerbatim?: boolean | undefined
  /** The call's tag, where that is the tool's name; and what other tools' tags begin with. */
  readonly name?: string | undefined
  readonly otherOpens?: readonly string[] | undefined
}

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512
/** A tag's name, or the space in front of a value, that is longer than this is none. */
const MAX_LEAD_CHARS = 4096

const endsName = /[\s>/]/
const noName = /[<"'=(){}]/
const isTagName = (name: string) => /^[\p{L}\p{N}_]/u.test(name)
const mayHold = (shape: Shape, tag: string) => shape.isOpen || shape.propertyNames.includes(tag)
/** A number or a constant holds no tags. */
const isScalar = (shape: Shape) => !(shape.kinds & (Kind.string | Kind.object | Kind.array))

function createElementBody(port: CallPort, grammar: ElementGrammar & TagCallPlace): Body {
  const { bracket, isVerbatim = false, name: toolTag } = grammar
  const commentStart = `${bracket}!--`
  const closeOf = (tag: string) => `${bracket}/${tag}>`
  const rootTag = grammar.call.close.slice(closeOf('').length - 1, -1)
  let tree = createElementTree(port.maxHeldChars)
  let tag = createTagReader(bracket, toolTag ?? '')
  /** Arguments in the tool's own tag. */
  let attributes = tag.attributes()
  /** The element whose content begins. */
  let element: Element = { tag: '', shape: silentShape, attributes }
  let text: RawText | undefined
  /** The space before what is not decided yet, and that itself: a content or a tag. */
  let space = ''
  let head = ''

  const call = createTagCall(port, grammar, {
    begin() {
      tree = createElementTree(port.maxHeldChars)
      head = ''
      return readChildren
    },
    close() {
      begin()
      tree.end()
    },
    end() {
      if (text?.end()) endText()
      // Half a tag that closes nothing begins something else.
      const isAtEnd = head.startsWith(`${bracket}/`) || bracket.startsWith(head)
      return isAt(readChildren) && isAtEnd && tree.depth() > 0
    },
  })
  const { markup, ends, opens, shape, commit, breakOff } = call
  const { readAgain, closeLast, isAt } = markup
  const begin = () => {
    const { put } = commit()
    if (tree.depth() === 0) tree.begin(put, { tag: rootTag, shape: shape(), attributes })
  }
  const goTo: typeof markup.goTo = (next, after) => {
    space = ''
    head = ''
    markup.goTo(next, after)
  }

  const beginText = (beginning: string) => {
    const { tag: name, shape } = element
    const first = beginning.trimStart().charAt(0)
    const isItem = first !== '' && first !== '[' && first !== bracket.charAt(0)
    let hasSection = false
    text = createRawText({
      begin(isSection) {
        hasSection = isSection
        tree.beginText(element, isItem, isSection)
      },
      put: piece => tree.put(Token.text, piece),
      close: closeOf(name),
      open: bracket + name,
      stops: [grammar.call.close],
      maySection: !isVerbatim,
      isVerbatim,
      maxHeldChars: port.maxHeldChars,
      canFollow: (behind, hasInnerOpen) => hasSection || isScalar(shape) || canFollow(behind, hasInnerOpen),
      // Another call begins: then this one was over, whatever is missing.
      canStop: (behind, _stop, hasInnerClose) => hasInnerClose || isScalar(shape) || call.isOver(behind),
    })
    goTo(text, afterText)
    readAgain(beginning)
  }
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string, hasInnerOpen: boolean): boolean | undefined => {
    const parent = tree.parent()
    if (!parent) return true
    const isMark = isAtMark(behind, [closeOf(parent.tag), ...ends.slice(1), commentStart])
    if (isMark !== false) return isMark
    const found = behind.charAt(bracket.length) === '/' ? 'text' : lookAt(behind)
    if (found !== 'child') return found === 'maybe' ? undefined : false
    const name = nameOf(behind)
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const { propertyNames } = parent.shape
    const isKnown = propertyNames.length === 0 || propertyNames.includes(name) || name === element.tag
    return !parent.isObject || !hasInnerOpen || isKnown
  }
  const endText = () => {
    text = undefined
    tree.put(Token.endText, '')
    goTo(readChildren)
  }
  const afterText = () => {
    const mark = text?.ended()
    if (text === undefined || mark === undefined) return
    readAgain(text.behind())
    if (mark === closeOf(element.tag)) return endText()
    text = undefined
    breakOff(`it cannot be told where <${element.tag}> ends`, mark)
  }

  /** The tool's own tag, behind its name. */
  const readToolTag = (char: string) => {
    tag.read(char)
    attributes = tag.attributes()
    if (tag.status() === 'failed') markup.leave()
    else if (tag.isSelfClosing()) closeLast()
    else if (tag.status() === 'done') goTo(readChildren)
  }
  const beginTag = () => {
    readAgain(head.slice(-1))
    tag = createTagReader(bracket, nameOf(head))
    goTo(readTag)
  }
  const readTag = (char: string) => {
    tag.read(char)
    if (tag.status() === 'failed') breakOff(`${JSON.stringify(tag.text())} is no tag`, tag.text())
    if (tag.status() !== 'done') return
    const shape = tree.beginChild(tag.name())
    if (!shape) return breakOff(`the argument ${JSON.stringify(tag.name())} is given twice`, tag.text())
    element = { tag: tag.name(), shape, attributes: tag.attributes() }
    if (tag.isSelfClosing()) {
      tree.beginText(element, false, false)
      endText()
    } else if (shape.kinds & (Kind.object | Kind.array)) goTo(readStart)
    else beginText('')
  }

  /** What begins where an element may stand. */
  const lookAt = (found: string) => {
    if (found.length <= bracket.length) return bracket.startsWith(found) ? 'maybe' : 'text'
    if (!found.startsWith(bracket) || found.length > MAX_LEAD_CHARS) return 'text'
    if (commentStart.startsWith(found)) return found === commentStart ? 'comment' : 'maybe'
    const last = found.slice(-1)
    if (found.charAt(bracket.length) === '/') return last === '>' ? 'close' : 'maybe'
    if (endsName.test(last)) return isTagName(nameOf(found)) ? 'child' : 'text'
    return noName.test(last) ? 'text' : 'maybe'
  }
  const nameOf = (found: string) => found.slice(bracket.length, -1)
  /** The first characters of what may be more than text tell what it is. */
  const readStart = (char: string) => {
    if (head === '' && isSpace(char) && space.length < MAX_LEAD_CHARS) {
      space += char
      return
    }
    head += char
    const found = head.startsWith(`${bracket}/`) ? 'text' : lookAt(head)
    if (found === 'maybe') return
    const { kinds, propertyNames } = element.shape
    const name = nameOf(head)
    const isKnown = propertyNames.includes(name) || ((kinds & Kind.array) !== 0 && isItemTag(name))
    const isLikely = kinds === ANY_KIND || !(kinds & Kind.string)
    if (found !== 'child' || !(isKnown || isLikely)) return beginText(space + head)
    if (tree.depth() === MAX_DEPTH) return breakOff(`nested deeper than ${MAX_DEPTH} levels`, head)
    tree.beginStructure(element, name)
    beginTag()
  }

  /** Between the children of an element, or the arguments of the call. */
  const readChildren = (char: string) => {
    if (head === '' && isSpace(char)) return
    head += char
    const found = lookAt(head)
    if (found === 'maybe') return
    if (found === 'comment') goTo(readComment)
    else if (found === 'close') closeElement(nameOf(head).slice(1).trim())
    else if (tree.depth() === 0 && head.startsWith('{')) beginJson()
    else if (found !== 'child') breakOff('text between the arguments', head)
    else if (tree.depth() <= 1) beginArgument(nameOf(head))
    else beginTag()
  }
  /** JSON in place of the arguments. A brace alone proves nothing. */
  const beginJson = () => {
    if (/["'}]/.test(head.slice(-1))) call.beginObject(head)
    else if (head.trimEnd() !== '{' || head.length > MAX_LEAD_CHARS) breakOff('text between the arguments', head)
  }
  const beginArgument = (name: string) => {
    // Another tool's tag, or this one's again, where an argument should be: the call was not closed.
    const isOpen = opens.some(open => open.startsWith(head) || open === head.slice(0, -1))
    const isArgument = toolTag === undefined ? shape().propertyNames.includes(name) : mayHold(shape(), name)
    const isOwn = isArgument || toolTag === undefined || mayHold(port.tools.shapeOf(toolTag), name)
    if (!markup.writer() && !isOwn) markup.leave()
    else if (isOpen && !isArgument) {
      readAgain(head)
      closeLast()
    } else {
      begin()
      beginTag()
    }
  }
  const closeElement = (name: string) => {
    if (tree.close(name)) goTo(readChildren)
    else if (ends.includes(closeOf(name))) call.closeAt(closeOf(name))
    else breakOff(`</${name}> closes nothing`, head)
  }
  const readComment = (char: string) => {
    head = (head + char).slice(-3)
    if (head === '-->') goTo(readChildren)
  }

  return call.body(toolTag === undefined ? undefined : readToolTag)
}

/** Calls in tags, with elements as arguments. */
export const elementArgumentCalls = (grammar: ElementGrammar): CallGrammar => tagCalls(grammar, createElementBody)

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = context => {
  const names = context.tools.names()
  const otherOpens = names.map(name => `<${name}`)
  return names.flatMap(name => {
    const call = { open: `<${name}`, close: `</${name}>` }
    return elementArgumentCalls({ call, name, otherOpens, bracket: '<' })(context)
  })
}
