import type { CallGrammar } from '../body.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed, type Problem } from '../events.js'
import { createMarkSearch, peek, readUntil, skip } from '../marks.js'
import { isAtMark } from '../match-marks.js'
import { behindSpace, createRawMarks, readRawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { putText, Token, type ValueSink } from '../value-token.js'
import { type Attempt, readObject, type TagCall, type TagCallGrammar, tagCalls, toolTagCalls } from './tag-call.js'
import { type Attributes, beginObject, readTag } from './tag-reader.js'

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
}

/** An element whose content is made of children: the properties of an object, or the items of a list. */
interface Element {
  readonly tag: string
  readonly shape: Shape
  readonly isObject: boolean
}

/** What begins where an element may stand: a tag by its name, a comment, or none of these; and how many characters that takes. */
interface Found {
  readonly child?: string | undefined
  readonly close?: string | undefined
  readonly comment?: string | undefined
  readonly length: number
}

/** Nesting beyond this is refused: whenever text comes it is handed down through all levels. */
const MAX_DEPTH = 128
/** A tag's name that is longer than this is none. */
const MAX_NAME_CHARS = 4096

const NAME = '[\\p{L}\\p{N}_][^\\s<>/"\'=(){}]*'
const tagPattern = new RegExp(`^(?:(!--)|/([^<>]*)>|(${NAME})(?=[\\s>/]))`, 'u')
const begunTag = new RegExp(`^(?:|!-?|/[^<>]*|${NAME})$`, 'u')

/** True for the tags that say of themselves that they are items of a list. */
const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

const commentEnd = createMarkSearch(['-->'])

/** What all that reads the elements of a call goes by. */
interface Scope extends ReturnType<typeof createWaitingSink> {
  readonly cursor: Cursor
  readonly call: TagCall
  readonly bracket: string
  readonly isVerbatim: boolean
  /** The elements that are open, the call first. */
  readonly openTags: string[]
}

const closeOf = (bracket: string, tag: string) => `${bracket}/${tag}>`

/** Undefined as long as it cannot be told. */
function lookAtTag(bracket: string, text: string): Found | undefined {
  const head = text.slice(0, MAX_NAME_CHARS)
  const isIn = head.startsWith(bracket)
  const inside = head.slice(bracket.length)
  const [whole, comment, close, child] = (isIn && tagPattern.exec(inside)) || []
  if (whole !== undefined) return { comment, close: close?.trim(), child, length: bracket.length + whole.length }
  const isBegun = isIn ? begunTag.test(inside) : bracket.startsWith(head)
  return isBegun && head.length < MAX_NAME_CHARS ? undefined : { length: 0 }
}

/** Looks at what stands behind space and comments. */
function* nextTag({ cursor, bracket }: Scope): Reading<Found | undefined> {
  for (;;) {
    yield* skip(cursor)
    const found = yield* peek(cursor, text => lookAtTag(bracket, text))
    if (!found?.comment) return found
    yield* readUntil(cursor, commentEnd, () => {})
  }
}

function* readText(scope: Scope, parent: Element, tag: string, { kinds }: Shape): Attempt {
  const { cursor, bracket, isVerbatim, put, call } = scope
  const [callClose = '', ...sectionEnds] = call.ends
  const close = closeOf(bracket, tag)
  const innerOpens = ['>', ' ', '\n', '\t', '\r'].map(char => bracket + tag + char)
  let hasInnerOpen = false
  let hasInnerClose = false
  /** Behind a value comes its parent's close tag, or another element. */
  const canFollow = (behind: string): boolean | undefined => {
    const next = lookAtTag(bracket, behind)
    if (next?.close !== undefined)
      return next.close === parent.tag || sectionEnds.includes(closeOf(bracket, next.close))
    if (next?.child === undefined) return next && next.comment !== undefined
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const { propertyNames } = parent.shape
    const isKnown = propertyNames.length === 0 || [tag, ...propertyNames].includes(next.child)
    return !parent.isObject || !hasInnerOpen || isKnown
  }
  const mark = yield* readRawText(cursor, {
    sink: put,
    kinds,
    marks: createRawMarks(close, [callClose, ...innerOpens]),
    mayBlock: !isVerbatim,
    maySection: !isVerbatim,
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

/** Reads an element whose tag begins here. `settle` is told whether it is an item of a list, as soon as that shows. */
function* readElement(
  scope: Scope,
  parent: Element,
  tag: string,
  shape: Shape,
  settle = (_isItem: boolean) => {},
): Attempt {
  const { cursor, bracket, put } = scope
  const open = yield* readTag(cursor, bracket.length + tag.length)
  if (!open) return cursor.at === cursor.text.length ? CUT : malformed(`<${tag} is no tag`)
  if (open.isSelfClosing) {
    putText(Token.beginRaw, '', put)
    return undefined
  }
  const { kinds, propertyNames } = shape
  if (!(kinds & (Kind.object | Kind.array))) return yield* readText(scope, parent, tag, shape)
  const child = (yield* peek(cursor, text => lookAtTag(bracket, behindSpace(text))))?.child ?? ''
  const isKnown = propertyNames.includes(child) || (isItemTag(child) && kinds & Kind.array)
  const isLikely = kinds === ANY_KIND || !(kinds & Kind.string)
  if (!child || !(isKnown || isLikely)) {
    const start = behindSpace(cursor.text.slice(cursor.at)).charAt(0)
    if (kinds === Kind.array) settle(!['', '[', bracket.charAt(0)].includes(start))
    return yield* readText(scope, parent, tag, shape)
  }
  const isList = (kinds & Kind.array) !== 0 && (isItemTag(child) || !(kinds & Kind.object))
  // <user><name>…</name></user> for a list of users: the element is one of the items.
  const item = shape.item(0)
  const isItem = isList && !isItemTag(child) && item.propertyNames.includes(child)
  if (isItem || kinds === Kind.array) settle(isItem)
  return yield* readChildren(scope, { tag, shape: isItem ? item : shape, isObject: isItem || !isList }, open.attributes)
}

/** Reads an element, and those of the same tag that follow it: they are one list. */
function* readProperty(scope: Scope, parent: Element, tag: string): Attempt {
  const { put, reserve } = scope
  const shape = parent.shape.property(tag)
  put(Token.key, tag)
  // What may be a list is one if its tag comes again.
  const settle = shape.kinds & Kind.array ? reserve() : () => false
  let isList = false
  const settleList = (isItem: boolean) => {
    isList ||= settle(isItem)
  }
  let problem = yield* readElement(scope, parent, tag, shape, settleList)
  for (let count = 1; !problem && (yield* nextTag(scope))?.child === tag; count++) {
    settleList(true)
    if (!isList) break
    problem = yield* readElement(scope, parent, tag, shape.item(count))
  }
  if (isList && !problem) put(Token.endArray, '')
  settle(false)
  return problem
}

/**
 * Reads the children of an element and its close tag. That may be missing before the close tag of an element around it, before the
 * end of the call, and before another call.
 */
function* readChildren(
  scope: Scope,
  element: Element,
  attributes: Attributes,
  isOtherCall = (_tag: string) => false,
): Attempt {
  const { put, openTags } = scope
  const { tag, shape, isObject } = element
  if (openTags.push(tag) > MAX_DEPTH) return malformed(`nested deeper than ${MAX_DEPTH} levels`)
  const given = isObject ? beginObject(put, shape, attributes) : new Set<string>()
  if (!isObject) put(Token.beginArray, '')
  let found = yield* nextTag(scope)
  for (let count = 0; found?.child !== undefined && !isOtherCall(found.child); count++) {
    if (given.has(found.child)) return malformed(`the argument ${JSON.stringify(found.child)} is given twice`)
    if (isObject) given.add(found.child)
    const problem = isObject
      ? yield* readProperty(scope, element, found.child)
      : yield* readElement(scope, element, found.child, shape.item(count))
    if (problem) return problem
    found = yield* nextTag(scope)
  }
  openTags.pop()
  const problem = endAt(scope, found, tag)
  if (!problem) put(isObject ? Token.endObject : Token.endArray, '')
  return problem
}

function endAt({ cursor, bracket, openTags, call }: Scope, found: Found | undefined, tag: string): Problem | undefined {
  const rest = cursor.text.slice(cursor.at)
  if (!found) {
    // Half a tag that closes nothing begins something else.
    if (cursor.isCut || !(rest.startsWith(`${bracket}/`) || bracket.startsWith(rest))) return CUT
    cursor.at += rest.length
  } else if (found.close === tag) cursor.at += found.length
  else if (found.close !== undefined) {
    const isOpen = openTags.includes(found.close) || call.ends.includes(closeOf(bracket, found.close))
    return isOpen ? undefined : malformed(`</${found.close}> closes nothing`)
  } else if (found.child === undefined) return malformed('text between the arguments')
  return undefined
}

/** Hands on tokens, but keeps them from a place on where a list may still begin. */
function createWaitingSink(sink: ValueSink, maxHeldChars: number) {
  const waiting: { readonly token?: Token; readonly text: string }[] = []
  let heldChars = 0
  const release = () => {
    for (const { token, text } of waiting.splice(0)) if (token !== undefined) sink(token, text)
    heldChars = 0
  }
  return {
    put(token: Token, text: string) {
      if (waiting.length === 0) return sink(token, text)
      waiting.push({ token, text })
      // Not counted by the piece: how a text is cut into pieces must make no difference.
      heldChars += token === Token.text ? text.length : text.length + 1
      if (heldChars > maxHeldChars) release()
    },
    /** What is given back says whether a list begins here. Once that was said, or nothing waits any longer, it gives false. */
    reserve() {
      const place: (typeof waiting)[number] = { text: '' }
      const at = waiting.push(place) - 1
      return (isList: boolean): boolean => {
        if (waiting[at] !== place) return false
        waiting[at] = isList ? { token: Token.beginArray, text: '' } : { text: '' }
        // The first place is the outermost.
        if (at === 0) release()
        return isList
      }
    },
  }
}

/** JSON in place of the arguments. A brace alone proves nothing. */
const startsObject = (text: string) => {
  const behind = text.startsWith('{') ? behindSpace(text.slice(1)) : ' '
  return behind === '' ? undefined : /^["'}]/.test(behind)
}

/** True if the tag has no longer name than this. */
const isTagOf = (tag: string, start: string) => !/^[^\s>]/.test(tag.slice(start.length))

/** Calls in tags, with elements as arguments. */
export function elementArgumentCalls(grammar: ElementGrammar): CallGrammar {
  const { bracket, isVerbatim = false, name: toolTag } = grammar
  return tagCalls(grammar, function* (cursor, { maxHeldChars }, call) {
    const { shape, ends, opens } = call
    const tag = toolTag === undefined ? { attributes: [], isSelfClosing: false } : yield* readTag(cursor)
    if (!tag) return CUT
    const { put, reserve } = createWaitingSink((token, text) => call.commit().put(token, text), maxHeldChars)
    const scope: Scope = { put, reserve, cursor, call, bracket, isVerbatim, openTags: [] }
    if (tag.isSelfClosing) {
      beginObject(put, shape, tag.attributes)
      call.commit().put(Token.endObject, '')
      return undefined
    }
    const first = yield* nextTag(scope)
    if (!first) return CUT
    const isText = first.child === undefined && first.close === undefined
    if (isText && (yield* peek(cursor, startsObject))) return yield* readObject(cursor, call)
    const isArgument = (name: string) => shape.propertyNames.includes(name) || (toolTag !== undefined && shape.isOpen)
    const isOwn = (name: string) => toolTag === undefined || isArgument(name)
    const isOurs = first.child === undefined ? ends.includes(`${bracket}/${first.close}>`) : isOwn(first.child)
    if (!call.isCommitted() && !isOurs) return CUT
    // Another tool's tag, or this one's again, where an argument should be: the call was not closed.
    const isOtherCall = (name: string) =>
      !isArgument(name) && opens.some(open => open.startsWith(bracket + name) && isTagOf(open, bracket + name))
    const rootTag = grammar.call.close.slice(bracket.length + 1, -1)
    return yield* readChildren(scope, { tag: rootTag, shape, isObject: true }, tag.attributes, isOtherCall)
  })
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls = toolTagCalls(grammar => elementArgumentCalls({ ...grammar, bracket: '<' }))
