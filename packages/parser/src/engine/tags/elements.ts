import { CUT, malformed } from '../events.js'
import type { CallGrammar } from '../grammar.js'
import type { Cursor, Reading } from '../text/cursor.js'
import { matchMarks, peek, readMark, readUntil, skip } from '../text/read-marks.js'
import { type Verdict, verdictOf } from '../text/verdict.js'
import { ANY_TYPE, JsonType, type Shape } from '../values/shape.js'
import { putText, Token, type ValueSink } from '../values/tokens.js'
import type { FallibleReading, TagCall, TagCallGrammar } from './calls-in-tags.js'
import { beginArguments, isCallHead, readEnd, tagCalls } from './calls-in-tags.js'
import { attributesOf, matchOpenTag, putAttributes, type Tag } from './open-tag.js'
import { readRawText, withoutLeadingSpace } from './raw-text.js'

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
 * Strings are raw text (see raw-text.ts); `<![CDATA[…]]>` is read back as the text that it holds.
 * An object or a list may also be written as JSON.
 */
export interface ElementGrammar extends TagCallGrammar {
  /** What every tag begins with. */
  readonly bracket: string
}

/**
 * An element whose content is made of children: the properties of an object, or the items of a
 * list. The call is one too.
 */
interface Element {
  readonly cursor: Cursor
  readonly call: TagCall
  readonly grammar: ElementGrammar
  readonly put: ValueSink
  /** What closes it, the elements around it, the call, and its section. */
  readonly closes: readonly string[]
  readonly shape: Shape
  readonly isObject: boolean
}

/** Nesting beyond this is refused: whenever text comes it is handed down through all levels. */
const MAX_ELEMENT_DEPTH = 128

/** True for the tags that say of themselves that they are items of a list. */
const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

const closeOf = (bracket: string, name: string) => `${bracket}/${name}>`
const commentOf = (bracket: string) => `${bracket}!--`

/** Looks at what stands behind space and comments. */
function* nextTag({ cursor, grammar: { bracket } }: Element): Reading<Tag | undefined> {
  for (;;) {
    yield* skip(cursor)
    const tag = yield* peek(cursor, text => matchOpenTag(bracket, text))
    if (tag?.name || !(yield* readMark(cursor, [commentOf(bracket)]))) return tag
    yield* readUntil(cursor, ['-->'], () => {})
  }
}

function* readText(parent: Element, name: string, types: number): FallibleReading {
  const { cursor, call, grammar, put } = parent
  const { bracket } = grammar
  const [callClose = '', ...sectionEnds] = call.ends
  const close = closeOf(bracket, name)
  const innerOpens = ['>', ' ', '\n', '\t', '\r'].map(char => bracket + name + char)
  const mark = yield* readRawText(cursor, {
    form: grammar,
    sink: put,
    types,
    marks: { close, opens: innerOpens, call: { ends: [callClose], opens: call.opens } },
    tag: `${bracket}${name}>`,
    // Behind a value comes the close tag of an element around it, or another element.
    isEnd(found, after, { hadOpen: hasInnerOpen, hadClose: hasInnerClose }) {
      // Another call begins: then this one was over, whatever is missing.
      if (found === callClose && found !== close) {
        return hasInnerClose ? 'yes' : matchMarks(after, [...sectionEnds, ...call.opens])
      }
      if (found !== close) return 'no'
      const isEnd = matchMarks(after, [...parent.closes, commentOf(bracket)])
      // A call in the text, of which not all is there: the text goes on behind its end.
      const isInner =
        hasInnerOpen && after.startsWith(callClose)
          ? matchMarks(withoutLeadingSpace(after.slice(callClose.length)), [close])
          : 'no'
      if (isEnd !== 'no') {
        if (isInner === 'wait') return 'wait'
        return isEnd === 'yes' && isInner === 'yes' ? 'no' : isEnd
      }
      const next = matchOpenTag(bracket, after)
      if (next === 'wait') return 'wait'
      if (!next.name) return 'no'
      // A tag that is no argument's may be one that the model made up, unless the text itself is
      // markup of the kind.
      const { propertyNames } = parent.shape
      const isKnown = propertyNames.length === 0 || [name, ...propertyNames].includes(next.name)
      return verdictOf(!parent.isObject || !hasInnerOpen || isKnown)
    },
    isCall: after => isCallHead(grammar.call, after, [bracket]),
  })
  if (mark === '') return CUT
  if (mark !== close) return malformed(`it cannot be told where <${name}> ends`)
  put(Token.endText, '')
  return undefined
}

/** Reads an element whose open tag stands here. */
function* readElement(parent: Element, tag: Tag, shape: Shape): FallibleReading {
  const { cursor, grammar, put } = parent
  const { name } = tag
  const { types, propertyNames } = shape
  cursor.at += tag.length
  // What its attributes say would be lost in a text.
  const hasFields = (types & JsonType.object) !== 0 && attributesOf(tag, propertyNames).length > 0
  if (tag.isSelfClosing && !hasFields) {
    putText(Token.beginUntyped, '', put)
    return undefined
  }
  const mayNest = (types & (JsonType.object | JsonType.array)) !== 0
  const look = (text: string) => matchOpenTag(grammar.bracket, withoutLeadingSpace(text))
  const child = (mayNest && !tag.isSelfClosing && (yield* peek(cursor, look))?.name) || ''
  const isKnown = propertyNames.includes(child) || (isItemTag(child) && types & JsonType.array)
  const isLikely = types === ANY_TYPE || !(types & JsonType.string)
  if (!hasFields && !(child && (isKnown || isLikely))) return yield* readText(parent, name, types)
  const isObject =
    hasFields || !(types & JsonType.array) || !(isItemTag(child) || !(types & JsonType.object))
  const close = closeOf(grammar.bracket, name)
  const closes = [close, ...parent.closes]
  if (closes.length > MAX_ELEMENT_DEPTH)
    return malformed(`nested deeper than ${MAX_ELEMENT_DEPTH} levels`)
  put(isObject ? Token.beginObject : Token.beginArray, '')
  const attributes = isObject ? putAttributes(tag, propertyNames, put) : undefined
  // A list that was not closed ends at what can only be another argument.
  const others = isObject || !isItemTag(child) ? [] : parent.shape.propertyNames
  const belongsHere = (each: string) => isItemTag(each) || !others.includes(each)
  const inside = { ...parent, closes, shape, isObject }
  const problem = tag.isSelfClosing
    ? undefined
    : yield* readChildren(inside, attributes, belongsHere)
  if (problem) return problem
  // Its close tag may be missing before that of an element around it.
  const mark = tag.isSelfClosing ? close : yield* readMark(cursor, closes)
  if (mark !== close) cursor.at -= mark.length
  if (mark === '' && belongsHere((yield* nextTag(parent))?.name ?? '')) {
    return cursor.isFinal ? CUT : malformed(`it cannot be told where <${name}> ends`)
  }
  put(isObject ? Token.endObject : Token.endArray, '')
  return undefined
}

/**
 * Whether an element is an item of the list that the schema has in its place, and not the list
 * itself.
 */
function* isListItem(
  { cursor, grammar: { bracket } }: Element,
  tag: Tag,
  shape: Shape,
): Reading<boolean> {
  const isItem = yield* peek(cursor, (text): Verdict => {
    const content = withoutLeadingSpace(text.slice(tag.length))
    const inner = matchOpenTag(bracket, content)
    if (inner === 'wait') return 'wait'
    const isIn = ({ propertyNames }: Shape) => propertyNames.includes(inner.name)
    // <user><name>…</name></user> for a list of users.
    if (inner.name) return verdictOf(isIn(shape.item(0)) && !isIn(shape))
    if (shape.types === JsonType.array)
      return verdictOf(!['[', bracket.charAt(0)].includes(content.charAt(0)))
    // What may be something else too is one if its tag comes again.
    const [, after] = content.split(closeOf(bracket, tag.name), 2)
    if (after === undefined) return 'wait'
    const next = matchOpenTag(bracket, withoutLeadingSpace(after))
    return next === 'wait' ? next : verdictOf(next.name === tag.name)
  })
  return isItem === 'yes'
}

/** Reads an element, and those of the same tag that follow it if they are one list. */
function* readProperty(parent: Element, tag: Tag): FallibleReading {
  const { put } = parent
  const { name } = tag
  const shape = parent.shape.property(name)
  put(Token.key, name)
  const mayBeItem = (shape.types & JsonType.array) !== 0 && !tag.isSelfClosing
  if (!mayBeItem || !(yield* isListItem(parent, tag, shape)))
    return yield* readElement(parent, tag, shape)
  put(Token.beginArray, '')
  const problem = yield* readChildren(
    { ...parent, shape, isObject: false },
    undefined,
    each => each === name,
  )
  if (!problem) put(Token.endArray, '')
  return problem
}

/** Reads the children of an element, up to what is none or belongs to something else. */
function* readChildren(
  element: Element,
  seenKeys = new Set<string>(),
  belongsHere = (_name: string) => true,
): FallibleReading {
  const { cursor, call, shape, isObject } = element
  for (let count = 0; ; count++) {
    const tag = yield* nextTag(element)
    // Half a tag that does not end the call begins something else.
    if (
      !tag &&
      (cursor.isTruncated || matchMarks(cursor.text.slice(cursor.at), call.ends) !== 'wait')
    )
      return CUT
    if (!tag?.name || !belongsHere(tag.name)) return undefined
    if (seenKeys.has(tag.name))
      return malformed(`the argument ${JSON.stringify(tag.name)} is given twice`)
    if (isObject) seenKeys.add(tag.name)
    const problem = isObject
      ? yield* readProperty(element, tag)
      : yield* readElement(element, tag, shape.item(count))
    if (problem) return problem
  }
}

/**
 * Looks at a text whose open tag is missing, `offerta.docx</path>`: MiniMax M3 writes the first
 * argument like that. Without a name it is none.
 */
function lookAtUntagged({ grammar: { bracket }, shape }: Element, content: string) {
  const [head = '', after = ''] = content.split(`${bracket}/`, 2)
  const [close, name = ''] = /^([^<>]*)>/.exec(after) ?? []
  if (close === undefined) return 'wait'
  // What begins every tag may still be there.
  const token = bracket.slice(0, -1)
  const text = head.startsWith(token) ? head.slice(token.length) : head
  const isArgument = shape.propertyNames.includes(name) && !text.includes(token)
  return { name: isArgument ? name : '', text, length: head.length + closeOf(bracket, name).length }
}

/** Reads the elements of a call, and its end. */
export function* readElements(
  cursor: Cursor,
  call: TagCall,
  grammar: ElementGrammar,
): FallibleReading {
  const { bracket, name: toolTag } = grammar
  const { shape, ends, opens } = call
  const put: ValueSink = (token, text) => call.commit().put(token, text)
  const root: Element = { cursor, call, grammar, put, closes: ends, shape, isObject: true }
  // Another tool's tag, or this one's again, where an argument should be: the call was not closed.
  const callTags = opens.map(open => /^[^\s>]*/.exec(open.slice(bracket.length))?.[0])
  const isKnown = (name: string) => shape.propertyNames.includes(name)
  const belongsHere = (name: string) => isKnown(name) || !callTags.includes(name)
  let untagged: Exclude<ReturnType<typeof lookAtUntagged>, 'wait'> | undefined
  const first = yield* nextTag(root)
  if (!first) return CUT
  const { name } = first
  const isOwn = isKnown(name) || (belongsHere(name) && (toolTag === undefined || shape.isOpen))
  const isProof = name ? isOwn : (yield* peek(cursor, text => matchMarks(text, ends))) === 'yes'
  if (!isProof && !name && toolTag === undefined)
    untagged = yield* peek(cursor, text => lookAtUntagged(root, text))
  if (!isProof && !untagged?.name) return yield* readEnd(cursor, call, true)
  const seenKeys = beginArguments(call)
  if (untagged) {
    cursor.at += untagged.length
    seenKeys.add(untagged.name)
    put(Token.key, untagged.name)
    putText(Token.beginUntyped, untagged.text, put)
  }
  return (yield* readChildren(root, seenKeys, belongsHere)) ?? (yield* readEnd(cursor, call, false))
}

/** Calls in tags, with elements as arguments. */
export const elementArgumentCalls = (grammar: ElementGrammar): CallGrammar =>
  tagCalls(grammar, (cursor, _output, call) => readElements(cursor, call, grammar))

/** Calls in tags that are named like the tools. */
export function toolTagCalls(callsOf: (grammar: ElementGrammar) => CallGrammar): CallGrammar {
  return tools => {
    const otherOpens = tools.names().map(name => `<${name}`)
    // In one literal: V8 may give each object that is made by spreading another a hidden class of
    // its own.
    const grammarOf = (name: string): ElementGrammar => ({
      call: { open: `<${name}`, nameEnd: '>', close: `</${name}>` },
      name,
      otherOpens,
      bracket: '<',
      trimsBlockLayout: true,
      readsCdata: true,
    })
    return tools.names().flatMap(name => callsOf(grammarOf(name))(tools))
  }
}

/** Calls as elements whose tag is the tool's name. */
export const elementCalls = toolTagCalls(elementArgumentCalls)
