import type { CallGrammar } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { createMarkSearch, peek, readUntil, skip } from '../marks.js'
import { isAtMark, startsMark } from '../match-marks.js'
import { behindSpace, createRawMarks, readRawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { putText, Token } from '../value-token.js'
import { type Attempt, readEnd, type TagCall, type TagCallGrammar, tagCalls } from './tag-call.js'
import { lookAtTag, noTag, putAttributes, readTag, type Tag } from './tag-reader.js'

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
}

/** An element whose content is made of children: the properties of an object, or the items of a list. */
interface Element {
  readonly close: string
  readonly shape: Shape
  readonly isObject: boolean
}

/** Nesting beyond this is refused: whenever text comes it is handed down through all levels. */
const MAX_DEPTH = 128
/** How much of a text is looked at to see whether its tag comes again. */
const MAX_REPEAT_CHARS = 1024

/** True for the tags that say of themselves that they are items of a list. */
const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

const commentEnd = createMarkSearch(['-->'])

/** What all that reads the elements of a call goes by. */
interface Scope {
  readonly cursor: Cursor
  readonly call: TagCall
  readonly grammar: ElementGrammar
  /** What closes the elements that are open, and the call. */
  readonly closes: string[]
}

/** Looks at what stands behind space and comments. */
function* nextTag({ cursor, grammar }: Scope): Reading<Tag | undefined> {
  for (;;) {
    yield* skip(cursor)
    const tag = yield* peek(cursor, text => lookAtTag(grammar.bracket, text))
    if (!tag?.isComment) return tag
    yield* readUntil(cursor, commentEnd, () => {})
  }
}

function* readText({ cursor, grammar, call }: Scope, parent: Element, tag: string, { kinds }: Shape): Attempt {
  const { bracket } = grammar
  const { put } = call.commit()
  const [callClose = '', ...sectionEnds] = call.ends
  const close = `${bracket}/${tag}>`
  const innerOpens = ['>', ' ', '\n', '\t', '\r'].map(char => bracket + tag + char)
  let hasInnerOpen = false
  let hasInnerClose = false
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string): boolean | undefined => {
    const next = lookAtTag(bracket, behind)
    if (next?.close !== undefined) return next.close === parent.close || sectionEnds.includes(next.close)
    if (next?.child === undefined) return next && next.isComment === true
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const { propertyNames } = parent.shape
    const isKnown = propertyNames.length === 0 || [tag, ...propertyNames].includes(next.child)
    return !parent.isObject || !hasInnerOpen || isKnown
  }
  const mark = yield* readRawText(cursor, {
    ...grammar,
    sink: put,
    kinds,
    marks: createRawMarks(close, [callClose, ...innerOpens]),
    isEnd(found, behind) {
      hasInnerOpen ||= innerOpens.includes(found)
      // Another call begins: then this one was over, whatever is missing.
      if (found === callClose && found !== close)
        return hasInnerClose || isAtMark(behind, [...sectionEnds, ...call.opens])
      const isEnd = found === close && canFollow(behind)
      hasInnerClose ||= found === close && isEnd === false
      return isEnd
    },
  })
  if (mark === '') return CUT
  if (mark !== close) return malformed(`it cannot be told where <${tag}> ends`)
  put(Token.endText, '')
  return undefined
}

/** Reads an element whose open tag stands here. */
function* readElement(scope: Scope, parent: Element, tag: Tag, shape: Shape): Attempt {
  const { cursor, call, grammar, closes } = scope
  const { child: name = '' } = tag
  const { kinds, propertyNames } = shape
  const { put } = call.commit()
  cursor.at += tag.length
  if (tag.isSelfClosing) {
    putText(Token.beginRaw, '', put)
    return undefined
  }
  const mayNest = (kinds & (Kind.object | Kind.array)) !== 0
  const look = (text: string) => lookAtTag(grammar.bracket, behindSpace(text))
  const child = (mayNest && (yield* peek(cursor, look))?.child) || ''
  const isKnown = propertyNames.includes(child) || (isItemTag(child) && kinds & Kind.array)
  const isLikely = kinds === ANY_KIND || !(kinds & Kind.string)
  if (!child || !(isKnown || isLikely)) return yield* readText(scope, parent, name, shape)
  const isObject = !(kinds & Kind.array) || !(isItemTag(child) || !(kinds & Kind.object))
  const element = { close: `${grammar.bracket}/${name}>`, shape, isObject }
  if (closes.push(element.close) > MAX_DEPTH) return malformed(`nested deeper than ${MAX_DEPTH} levels`)
  put(isObject ? Token.beginObject : Token.beginArray, '')
  const problem = yield* readChildren(scope, element, isObject ? putAttributes(tag, propertyNames, put) : [])
  if (problem) return problem
  closes.pop()
  // Its close tag may be missing before that of an element around it.
  const end = yield* nextTag(scope)
  if (end?.close === element.close) cursor.at += end.length
  else if (end && !closes.includes(end.close ?? '')) return malformed(`it cannot be told where <${name}> ends`)
  put(isObject ? Token.endObject : Token.endArray, '')
  return undefined
}

/** Whether an element is an item of the list that the schema has in its place, and not the list itself. */
function* isListItem({ cursor, grammar }: Scope, tag: Tag, shape: Shape): Reading<boolean> {
  const { kinds } = shape
  const { bracket } = grammar
  if (!(kinds & Kind.array) || tag.isSelfClosing) return false
  const isItem = yield* peek(cursor, text => {
    const content = behindSpace(text.slice(tag.length))
    const { child } = lookAtTag(bracket, content) ?? { child: '' }
    if (child === '') return undefined
    // <user><name>…</name></user> for a list of users.
    if (child) return !shape.propertyNames.includes(child) && shape.item(0).propertyNames.includes(child)
    if (kinds === Kind.array) return !['[', bracket.charAt(0)].includes(content.charAt(0))
    // What may be something else too is one if its tag comes again.
    const [, behind] = content.slice(0, MAX_REPEAT_CHARS).split(`${bracket}/${tag.child}>`, 2)
    if (behind === undefined) return content.length < MAX_REPEAT_CHARS ? undefined : false
    const next = lookAtTag(bracket, behindSpace(behind))
    return next && next.child === tag.child
  })
  return isItem === true
}

/** Reads an element, and those of the same tag that follow it if they are one list. */
function* readProperty(scope: Scope, parent: Element, tag: Tag): Attempt {
  const { child: name = '' } = tag
  const { put } = scope.call.commit()
  const shape = parent.shape.property(name)
  put(Token.key, name)
  if (!(yield* isListItem(scope, tag, shape))) return yield* readElement(scope, parent, tag, shape)
  put(Token.beginArray, '')
  const problem = yield* readChildren(scope, { ...parent, shape, isObject: false }, [], child => child === name)
  if (!problem) put(Token.endArray, '')
  return problem
}

/** Reads the children of an element, up to what is none or belongs to something else. */
function* readChildren(
  scope: Scope,
  element: Element,
  attributes: readonly string[],
  isOurs = (_tag: string) => true,
): Attempt {
  const { cursor, call } = scope
  const given = new Set(attributes)
  for (let count = 0; ; count++) {
    const tag = yield* nextTag(scope)
    // Half a tag that does not end the call begins something else.
    if (!tag && (cursor.isCut || !startsMark(cursor.text.slice(cursor.at), call.ends))) return CUT
    if (tag?.child === undefined || !isOurs(tag.child)) return undefined
    if (given.has(tag.child)) return malformed(`the argument ${JSON.stringify(tag.child)} is given twice`)
    if (element.isObject) given.add(tag.child)
    const problem = element.isObject
      ? yield* readProperty(scope, element, tag)
      : yield* readElement(scope, element, tag, element.shape.item(count))
    if (problem) return problem
  }
}

/** Calls in tags, with elements as arguments. */
export function elementArgumentCalls(grammar: ElementGrammar): CallGrammar {
  const { bracket, name: toolTag } = grammar
  return tagCalls(grammar, function* (cursor, _port, call) {
    const { shape, ends, opens } = call
    const tag = toolTag === undefined ? noTag : yield* readTag(cursor)
    if (!tag) return CUT
    const scope: Scope = { cursor, call, grammar, closes: [...ends] }
    const first = tag.isSelfClosing ? tag : yield* nextTag(scope)
    if (!first) return CUT
    const isArgument = (name: string) => shape.propertyNames.includes(name) || (toolTag !== undefined && shape.isOpen)
    const isClosed = tag.isSelfClosing || ends.includes(first.close ?? '')
    if (!isClosed && (first.child === undefined || !(toolTag === undefined || isArgument(first.child)))) {
      return yield* readEnd(cursor, call, true)
    }
    const { put } = call.begin()
    const attributes = putAttributes(tag, shape.propertyNames, put)
    if (tag.isSelfClosing) return call.finish()
    // Another tool's tag, or this one's again, where an argument should be: the call was not closed.
    const callTags = opens.map(open => /^[^\s>]*/.exec(open.slice(bracket.length))?.[0])
    const isOurs = (name: string) => isArgument(name) || !callTags.includes(name)
    const root = { close: grammar.call.close, shape, isObject: true }
    return (yield* readChildren(scope, root, attributes, isOurs)) ?? (yield* readEnd(cursor, call))
  })
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls: CallGrammar = tools => {
  const names = tools.names()
  const otherOpens = names.map(name => `<${name}`)
  return names.flatMap(name => {
    const call = { open: `<${name}`, close: `</${name}>` }
    return elementArgumentCalls({ call, name, otherOpens, bracket: '<', hasBlocks: true, hasSections: true })(tools)
  })
}
