import { CUT, malformed } from '../events.js'
import { fail, failWith, givenTwice } from '../failure.js'
import { noteSpacedTag, withoutTagSpaces, withSpacedTags } from '../spaced-tags.js'
import { type Cursor, noteRepair, type Reading } from '../text/cursor.js'
import { matchMarks, peek, peekMark, readMark, readUntil, skip, take } from '../text/read-marks.js'
import { findDeclaredKey } from '../values/declared-key.js'
import { CONTAINER, JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import type { TagCall, TagCallGrammar } from './calls-in-tags.js'
import { beginArguments, isCallHead, readEnd } from './calls-in-tags.js'
import {
  type AfterText,
  closeTag,
  contentOf,
  endsText,
  isItemTag,
  isObjectShape,
  matchClosedElement,
  matchListItem,
  matchUntagged,
  type UntaggedArgument,
} from './element-looks.js'
import {
  createTextTags,
  noteAttributes,
  noteTextTags,
  noteUntagged,
  openMarksOf,
  outerMarksOf,
  watchTag,
} from './element-repairs.js'
import { matchOpenTag, putAttributes, type Tag } from './open-tag.js'
import { readRawText, withoutLeadingSpace } from './raw-text.js'
import {
  createHeldLists,
  endItems,
  type HeldLists,
  holdItems,
  mayGoOn,
  putHeldLists,
  readHeld,
  wantsList,
} from './repeated-lists.js'

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
 * Strings are raw text (see raw-text.ts); `<![CDATA[…]]>` is read as the text that it contains. An
 * object or a list may also be written as JSON.
 */
export interface ElementGrammar extends TagCallGrammar {
  /** The text that every tag begins with: `<`, or in MiniMax M3 `]<]minimax[>[<`. */
  readonly bracket: string
}

/**
 * An element that contains others: the properties of an object, or the items of a list. The call
 * itself is one too.
 */
interface Element {
  readonly cursor: Cursor
  readonly call: TagCall
  readonly grammar: ElementGrammar
  readonly put: ValueSink
  /** The close tags of the element, of the elements around it, of the call, and of its section. */
  readonly closes: readonly string[]
  readonly shape: Shape
  /** It is an object, not a list. */
  readonly isObject: boolean
  /** Its children. The first tag that is not one of them ends it. */
  readonly children: Children
  /** The element around it; undefined for the call. */
  readonly parent: Element | undefined
  /** Its children so far, by their declared names. */
  readonly seenKeys: Set<string>
  /** The lists among its properties whose items are tags of their own. */
  readonly held: HeldLists
  /** `<tags><x>a</x>|` An item with another tag than that of the format was recorded. */
  hasOtherTag: boolean
}

/** The names that the children of an element may have. */
interface Children {
  /** `<tag>a</tag><tag>b</tag>`: the children are the items of a list, all with this name. */
  readonly onlyName?: string | undefined
  /** True for a name that no child has, since it belongs to something after the element. */
  readonly isOther?: ((name: string) => boolean) | undefined
}

const anyChildren: Children = {}

function isChild({ onlyName, isOther }: Children, name: string): boolean {
  return onlyName === undefined ? isOther?.(name) !== true : name === onlyName
}

/** Deeper nesting is refused: each chunk of text goes through the readers of all levels. */
const MAX_ELEMENT_DEPTH = 128

/** The tag that the formats write for the items of a list. Others are recorded (decision 75). */
const ITEM_TAG = 'item'

const commentStart = (bracket: string) => `${bracket}!--`

/**
 * Skips whitespace and comments, and returns the open tag there. Its name is '' if another text is
 * there. Undefined if the text ends inside a tag, or the tag is too long.
 */
function* peekTag({ cursor, grammar: { bracket } }: Element): Reading<Tag | undefined> {
  for (;;) {
    yield* skip(cursor)
    const tag = yield* peek(cursor, text => matchOpenTag(bracket, text))
    if (tag?.name) return tag
    const comment = yield* readMark(cursor, [commentStart(bracket)])
    if (comment === '') return tag
    noteRepair(cursor, 'comment')
    yield* readUntil(cursor, ['-->'], () => {})
  }
}

/** Reads the raw text of an element from its open tag on, and its close tag. */
function* readText(parent: Element, name: string, types: number): Reading {
  const { cursor, call, grammar, put } = parent
  const { bracket } = grammar
  const [callClose = ''] = call.ends
  const follow = whatFollows(parent, name)
  const { close } = follow
  const tag = `${bracket}${name}>`
  const textTags = createTextTags(bracket, name, findOuterNames(parent, name), !parent.isObject)
  const mark = yield* readRawText(cursor, {
    form: grammar,
    sink: put,
    types,
    marks: {
      close,
      opens: openMarksOf(bracket, name),
      call: { ends: [callClose], opens: call.opens },
      outer: outerMarksOf(textTags),
    },
    tag,
    missingTags: () => findMissingTags(parent, tag),
    watchMark: found => watchTag(textTags, found),
    isEnd: (found, after, contained) => endsText(follow, found, after, contained),
    isCall: after => isCallHead(grammar.call, after, [bracket]),
  })
  if (mark === '') failWith(CUT)
  if (mark === tag) fail(`cannot tell which \`${close}\` ends \`${tag}\``)
  if (mark !== close) fail(`expected \`${close}\`, found \`${mark}\``)
  noteTextTags(cursor, textTags)
  put(Token.endText, '')
}

/** Returns the names of the elements around a text, but not that of the call. */
function findOuterNames({ grammar, call, closes, children }: Element, name: string): string[] {
  const outerCloses = closes.slice(0, -call.ends.length)
  const names = outerCloses.map(close => close.slice(grammar.bracket.length + 1, -1))
  // `<tags>i<tem>a|</item></tags>`: this text may be a whole list.
  if (children.onlyName !== undefined) names.push('item')
  return names.filter(each => each !== name)
}

/** Returns the open tags that can follow a text: another item, or the properties that are missing. */
function findMissingTags({ grammar, shape, isObject, seenKeys }: Element, tag: string): string[] {
  if (!isObject) return [tag]
  const names = shape.propertyNames.filter(name => !seenKeys.has(name))
  return names.map(name => `${grammar.bracket}${name}>`)
}

function whatFollows({ call, grammar, closes, shape, isObject }: Element, name: string): AfterText {
  const { bracket } = grammar
  const { propertyNames } = shape
  const [callClose = '', ...sectionEnds] = call.ends
  const isClosedSet = isObject && propertyNames.length > 0
  return {
    bracket,
    close: closeTag(bracket, name),
    callClose,
    afterClose: [...closes.flatMap(withSpacedTags), commentStart(bracket)],
    afterCall: [...sectionEnds, ...call.opens],
    siblings: isClosedSet ? [name, ...propertyNames] : undefined,
  }
}

/** Reads an element whose open tag is at the cursor. */
function* readElement(parent: Element, tag: Tag, shape: Shape): Reading {
  const { cursor, put } = parent
  cursor.at += tag.length
  noteAttributes(cursor, tag, isObjectShape(shape) ? shape.propertyNames : [])
  const mayNest = (shape.types & CONTAINER) !== 0 && !tag.isSelfClosing
  const child = mayNest ? yield* peekChildName(parent) : ''
  const content = contentOf(tag, shape, child)
  if (content === 'empty') return putText(Token.beginUntyped, '', put)
  if (content === 'text') return yield* readText(parent, tag.name, shape.types)
  const closes = [closeTag(parent.grammar.bracket, tag.name), ...parent.closes]
  if (closes.length > MAX_ELEMENT_DEPTH) fail(`nested deeper than ${MAX_ELEMENT_DEPTH} levels`)
  if (content === 'object') return yield* readObject(parent, tag, shape, closes)
  return yield* readList(parent, shape, closes, isItemTag(child))
}

/** Returns the name of the first tag inside an element; '' if other text comes first. */
function* peekChildName({ cursor, grammar: { bracket } }: Element): Reading<string> {
  const tag = yield* peek(cursor, text => matchOpenTag(bracket, withoutLeadingSpace(text)))
  return tag?.name ?? ''
}

/** Reads the properties of an object, and its close tag: `<user>|<name>Ann</name></user>`. */
function* readObject(parent: Element, tag: Tag, shape: Shape, closes: readonly string[]): Reading {
  const { put } = parent
  put(Token.beginObject, '')
  const seenKeys = putAttributes(tag, shape.propertyNames, put)
  if (!tag.isSelfClosing) {
    const element = createElement(parent, shape, closes, true, anyChildren, seenKeys)
    yield* readChildren(element)
    yield* readClose(parent, element)
  }
  put(Token.endObject, '')
}

/** Reads the items of a list, and its close tag: `<tags>|<item>a</item></tags>`. */
function* readList(
  parent: Element,
  shape: Shape,
  closes: readonly string[],
  hasItemTags: boolean,
): Reading {
  const { put } = parent
  put(Token.beginArray, '')
  // `<tags><item>a</item>|<path>`: a list without its close tag ends at another argument
  // (decision 67).
  const { propertyNames } = parent.shape
  const isOther = (name: string) => hasItemTags && !isItemTag(name) && propertyNames.includes(name)
  const element = createElement(parent, shape, closes, false, { isOther })
  yield* readChildren(element)
  yield* readClose(parent, element)
  put(Token.endArray, '')
}

function createElement(
  parent: Element,
  shape: Shape,
  closes: readonly string[],
  isObject: boolean,
  children: Children,
  seenKeys = new Set<string>(),
  put = parent.put,
): Element {
  const { cursor, call, grammar } = parent
  const held = createHeldLists(put, call.maxHeldChars)
  const own = { closes, shape, isObject, children, parent, seenKeys, held, hasOtherTag: false }
  return { cursor, call, grammar, put, ...own }
}

/** Reads the close tag of an element. It may be missing where an element around it is closed. */
function* readClose(parent: Element, { closes, children }: Element): Reading {
  const { cursor } = parent
  const [close = ''] = closes
  const writtenMark = yield* peekMark(cursor, closes.flatMap(withSpacedTags))
  const mark = withoutTagSpaces(writtenMark)
  if (mark === close) {
    take(cursor, writtenMark)
    noteSpacedTag(cursor, writtenMark)
    return
  }
  if (mark !== '') return noteRepair(cursor, 'missing-close')
  // `<tags><item>a</item>|<path>`
  const next = yield* peekTag(parent)
  if (!isChild(children, next?.name ?? '')) return noteRepair(cursor, 'missing-close')
  failWith(cursor.isFinal ? CUT : malformed(`expected \`${close}\`, found other text`))
}

/** True if an element is an item of the list that the schema has in its place, not the list. */
function* isListItem({ cursor, grammar }: Element, tag: Tag, shape: Shape): Reading<boolean> {
  const look = (text: string) => matchListItem(grammar.bracket, tag, shape, text)
  return (yield* peek(cursor, look)) === 'yes'
}

/** Reads an element with its key, and those with the same tag after it if they are one list. */
function* readProperty(parent: Element, tag: Tag, key: string): Reading {
  const { put, seenKeys } = parent
  const shape = parent.shape.property(key)
  const mayBeItem = (shape.types & JsonType.array) !== 0
  const isItem = tag.isSelfClosing
    ? wantsList(shape)
    : mayBeItem && (yield* isListItem(parent, tag, shape))
  if (isItem) {
    seenKeys.add(key)
    return yield* readHeld(parent.cursor, key, readHeldItems(parent, tag.name, key, shape))
  }
  if (seenKeys.has(key)) fail(givenTwice(key))
  seenKeys.add(key)
  put(Token.key, tag.name)
  yield* readElement(parent, tag, shape)
}

/** Reads items of a list that follow each other: `|<tags>a</tags><tags>b</tags>`. */
function* readHeldItems(parent: Element, name: string, key: string, shape: Shape): Reading {
  const { held } = parent
  const { put, list } = holdItems(held, key, name, shape)
  const children = { onlyName: name }
  const items = createElement(parent, shape, parent.closes, false, children, undefined, put)
  yield* readChildren(items)
  endItems(held, list)
}

/** Reads the children of an element, up to the first text or tag that is not one. */
function* readChildren(element: Element): Reading {
  const { cursor, isObject, children, shape, seenKeys, held } = element
  for (let count = 0; ; count++) {
    const tag = yield* peekTag(element)
    if (!tag) checkCut(element)
    if (!tag?.name || !isChild(children, tag.name)) break
    if (isObject) {
      const key = findDeclaredKey(shape, tag.name, seenKeys)
      if (seenKeys.has(key) && !mayGoOn(held, key)) fail(givenTwice(key))
      noteMisplaced(element, key)
      yield* readProperty(element, tag, key)
    } else yield* readItem(element, tag, count)
  }
  putHeldLists(cursor, held)
}

/** Reads an item of a list: `|<item>a</item>`. */
function* readItem(list: Element, tag: Tag, count: number): Reading {
  yield* readElement(list, tag, list.shape.item(count))
  // `<tags><x>a</x>|</tags>`
  const isOther = tag.name !== ITEM_TAG && list.children.onlyName === undefined
  if (!isOther || list.hasOtherTag) return
  list.hasOtherTag = true
  noteRepair(list.cursor, 'other-item-tag')
}

/**
 * `<user><name>Ann</name>|<path>a</path>` Records a child that an object does not declare, but an
 * element around it: the close tag of the object is missing.
 */
function noteMisplaced({ cursor, shape, parent }: Element, name: string): void {
  const { propertyNames } = shape
  if (propertyNames.length === 0 || propertyNames.includes(name)) return
  for (let outer = parent; outer; outer = outer.parent) {
    const belongs = outer.isObject ? outer.shape.propertyNames.includes(name) : isItemTag(name)
    if (belongs) {
      noteRepair(cursor, 'argument-in-value')
      return
    }
  }
}

/** `<path>a</path>|</write_f`: half a tag at the end of the text may be the end of the call. */
function checkCut({ cursor, call }: Element): void {
  const isCallEnd = matchMarks(cursor.text.slice(cursor.at), call.writtenEnds)
  if (cursor.isTruncated || isCallEnd !== 'wait') failWith(CUT)
}

/** Reads the elements of a call, and its end. */
export function* readElements(cursor: Cursor, call: TagCall, grammar: ElementGrammar): Reading {
  const { bracket, name: toolTag } = grammar
  const { propertyNames } = call.shape
  const root = createRoot(cursor, call, grammar)
  const first = yield* peekTag(root)
  if (!first) return failWith(CUT)
  if (first.name) {
    const isCall = isArgumentTag(root, first.name) || (yield* isUndeclaredArgument(root, first))
    return isCall ? yield* readArguments(root) : yield* readEnd(cursor, call, true)
  }
  // `<get_time>|</get_time>`
  const isClosed = yield* peek(cursor, text => matchMarks(text, call.writtenEnds))
  if (isClosed === 'yes') return yield* readArguments(root)
  if (toolTag !== undefined) return yield* readEnd(cursor, call, true)
  const untagged = yield* peek(cursor, text => matchUntagged(bracket, propertyNames, text))
  if (!untagged?.name) return yield* readEnd(cursor, call, true)
  return yield* readArguments(root, untagged)
}

/** Makes the element that is the call itself. */
function createRoot(cursor: Cursor, call: TagCall, grammar: ElementGrammar): Element {
  const { ends, opens, shape } = call
  const put: ValueSink = (token, text) => call.beginCall().put(token, text)
  // `<search><query>a</query>|<search>`: the tag of a tool, and not of an argument. The call was
  // not closed.
  const { lookup } = grammar
  const tagNames = lookup ? [] : opens.map(open => tagNameOf(open.slice(grammar.bracket.length)))
  const isTag = (name: string) => lookup?.find(name) === name || tagNames.includes(name)
  const isOther = (name: string) => isTag(name) && !shape.propertyNames.includes(name)
  const children = { isOther }
  const held = createHeldLists(put, call.maxHeldChars)
  const own = { closes: ends, parent: undefined, seenKeys: new Set<string>(), held }
  const element = { cursor, call, grammar, put, shape, isObject: true, children, ...own }
  return { ...element, hasOtherTag: false }
}

const tagNameOf = (tag: string) => /^[^\s>]*/.exec(tag)?.[0] ?? ''

/** True if the first tag in a call shows that it is one. A tag of the tool's name may be prose. */
function isArgumentTag({ grammar, shape, children, seenKeys }: Element, name: string): boolean {
  if (shape.propertyNames.includes(findDeclaredKey(shape, name, seenKeys))) return true
  const mayBeUndeclared = grammar.name === undefined || shape.isOpen
  return mayBeUndeclared && isChild(children, name)
}

/**
 * `<get_weather>|<place>Oslo</place></get_weather>` True if the first tag is not declared, but the
 * call has its whole form and no text before it. The schema refuses it, so that the model is told.
 */
function* isUndeclaredArgument(root: Element, tag: Tag): Reading<boolean> {
  const { cursor, call, grammar, children } = root
  const mayBeArgument = grammar.name !== undefined && isChild(children, tag.name)
  if (!mayBeArgument || !call.isFirst) return false
  const look = (text: string) => matchClosedElement(grammar.bracket, tag, call.writtenEnds, text)
  return (yield* peek(cursor, look)) === 'yes'
}

/** Reads all arguments, of which the first may lack its open tag, and the end of the call. */
function* readArguments(root: Element, untagged?: UntaggedArgument): Reading {
  const { cursor, call, put, seenKeys } = root
  for (const key of beginArguments(call)) seenKeys.add(key)
  if (untagged) {
    cursor.at += untagged.length
    noteUntagged(cursor, untagged.name, untagged.text)
    seenKeys.add(untagged.name)
    put(Token.key, untagged.name)
    putText(Token.beginUntyped, untagged.text, put)
  }
  yield* readChildren(root)
  yield* readEnd(cursor, call, false)
}
