import type { Cursor, Reading } from '../cursor.js'
import type { Problem } from '../events.js'
import { createMarkSearch, lookAhead, readUntil, skip } from '../marks.js'
import { behindSpace, readRawText } from '../raw-text.js'
import { ANY_KIND, Kind, type Shape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'
import { CUT, malformed } from './markup.js'
import { type Attributes, readTag } from './tag-reader.js'

/** An element whose content is made of children: the properties of an object, or the items of a list. */
export interface Element {
  readonly tag: string
  readonly shape: Shape
  readonly isObject: boolean
  readonly attributes: Attributes
}

export interface ElementReaderOptions {
  /** What every tag begins with. */
  readonly bracket: string
  /** A text is all that stands between its tags: neither line breaks around it nor CDATA are markup. */
  readonly isVerbatim?: boolean | undefined
  readonly sink: ValueSink
  readonly maxHeldChars: number
  /** What ends the call, its own close tag first. */
  readonly ends: readonly string[]
  /** Whether what begins with `behind` shows that the call's close tag before it was one. */
  readonly isOver: (behind: string) => boolean | undefined
}

/** What begins where an element may stand: how much of it was looked at, and the name there. */
interface Found {
  readonly type: 'child' | 'close' | 'comment' | 'text'
  readonly name: string
  readonly length: number
}

/** Nesting beyond this is refused, as it is in JSON. */
const MAX_DEPTH = 512
/** A tag's name that is longer than this is none. */
const MAX_NAME_CHARS = 4096

const TAG = /^(?:(!--)|\/([^<>]*)>|([\p{L}\p{N}_][^\s<>/"'=(){}]*)(?=[\s>/]))/u
const BEGUN_TAG = /^(?:|!-?|\/[^<>]*|[\p{L}\p{N}_][^\s<>/"'=(){}]*)$/u

/** True for the tags that say of themselves that they are items of a list. */
const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

/** Makes a value of elements: children become keys, `item` and index tags lists, and so do tags that come again. */
export function createElementReader(
  cursor: Cursor,
  { bracket, isVerbatim = false, sink, maxHeldChars, ends, isOver }: ElementReaderOptions,
) {
  const { put, reserve } = createWaitingSink(sink, maxHeldChars)
  const closeOf = (tag: string) => `${bracket}/${tag}>`
  const commentEnd = createMarkSearch(['-->'])
  const openTags: string[] = []

  /** Undefined as long as it cannot be told. */
  const lookAtTag = (text: string): Found | undefined => {
    const head = text.slice(0, MAX_NAME_CHARS)
    const inside = head.slice(bracket.length)
    const [whole, comment, close, child] = (head.startsWith(bracket) && TAG.exec(inside)) || []
    if (whole !== undefined) {
      const type = comment ? 'comment' : child ? 'child' : 'close'
      return { type, name: (child ?? close ?? '').trim(), length: bracket.length + whole.length }
    }
    const isBegun = head.startsWith(bracket) ? BEGUN_TAG.test(inside) : bracket.startsWith(head)
    return isBegun && head.length < MAX_NAME_CHARS ? undefined : { type: 'text', name: '', length: 0 }
  }
  /** Looks at what stands behind space and comments. */
  function* nextTag(): Reading<Found | undefined> {
    for (;;) {
      yield* skip(cursor)
      const found = yield* lookAhead(cursor, lookAtTag)
      if (found?.type !== 'comment') return found
      yield* readUntil(cursor, commentEnd, () => {})
    }
  }

  /** Whether a close tag counts: behind a value comes its parent's close tag, or another element. */
  const canFollow = (parent: Element, tag: string, behind: string, hasInnerOpen: boolean): boolean | undefined => {
    const next = lookAtTag(behind)
    if (next === undefined) return undefined
    if (next.type === 'close') return next.name === parent.tag || ends.indexOf(closeOf(next.name)) > 0
    if (next.type !== 'child') return next.type === 'comment'
    // A tag that is no argument's may be one that the model made up, unless the text itself is markup of the kind.
    const { propertyNames } = parent.shape
    const isKnown = propertyNames.length === 0 || propertyNames.includes(next.name) || next.name === tag
    return !parent.isObject || !hasInnerOpen || isKnown
  }
  function* readText(parent: Element, tag: string, { kinds }: Shape): Reading<Problem | undefined> {
    const close = closeOf(tag)
    const [callClose = ''] = ends
    /** A number or a constant holds no tags. */
    const isScalar = !(kinds & (Kind.string | Kind.object | Kind.array))
    const mark = yield* readRawText(cursor, {
      begin: isSection => put(isSection ? Token.beginQuoted : Token.beginRaw, ''),
      put: piece => put(Token.text, piece),
      close,
      open: bracket + tag,
      stops: [callClose],
      mayBlock: !isVerbatim,
      maySection: !isVerbatim,
      isEnd(found, behind, inner) {
        if (isScalar) return true
        if (found === close) return canFollow(parent, tag, behind, inner.hasOpen)
        // Another call begins: then this one was over, whatever is missing.
        return inner.hasClose || isOver(behind)
      },
    })
    if (mark === '') return CUT
    if (mark === close) put(Token.endText, '')
    else cursor.at -= mark.length
    return mark === close ? undefined : malformed(`it cannot be told where <${tag}> ends`)
  }

  /** Reads an element whose tag begins here. `beginList` is called if it turns out to be an item of a list. */
  function* readElement(
    parent: Element,
    tag: string,
    shape: Shape,
    beginList = () => {},
  ): Reading<Problem | undefined> {
    const { kinds, propertyNames } = shape
    const open = yield* readTag(cursor, bracket.length + tag.length)
    if (!open) return cursor.at === cursor.text.length ? CUT : malformed(`<${tag} is no tag`)
    if (open.isSelfClosing) {
      put(Token.beginRaw, '')
      put(Token.endText, '')
      return undefined
    }
    if (!(kinds & (Kind.object | Kind.array))) return yield* readText(parent, tag, shape)
    const first = yield* lookAhead(cursor, text => lookAtTag(behindSpace(text)))
    const isItem = first !== undefined && isItemTag(first.name)
    const isKnown = first && (propertyNames.includes(first.name) || (isItem && kinds & Kind.array))
    const isLikely = kinds === ANY_KIND || !(kinds & Kind.string)
    if (first?.type !== 'child' || !(isKnown || isLikely)) {
      const start = behindSpace(cursor.text.slice(cursor.at)).charAt(0)
      if (kinds === Kind.array && !['', '[', bracket.charAt(0)].includes(start)) beginList()
      return yield* readText(parent, tag, shape)
    }
    const isList = (kinds & Kind.array) !== 0 && (isItem || !(kinds & Kind.object))
    // <user><name>…</name></user> for a list of users: the element is one of the items.
    const itemShape = shape.item(0)
    const isListItem = isList && !isItem && itemShape.propertyNames.includes(first.name)
    if (isListItem) beginList()
    const { attributes } = open
    const isObject = !isList || isListItem
    return yield* readChildren({ tag, shape: isListItem ? itemShape : shape, isObject, attributes })
  }

  /** Reads an element, and those of the same tag that follow it: they are one list. */
  function* readProperty(parent: Element, tag: string): Reading<Problem | undefined> {
    const shape = parent.shape.property(tag)
    put(Token.key, tag)
    // What may be a list and may be something else is a list if the tag comes again.
    const isDoubtful = (shape.kinds & Kind.array) !== 0 && shape.kinds !== Kind.array
    const place = isDoubtful ? reserve() : undefined
    let isList = false
    const beginList = () => {
      if (!place) put(Token.beginArray, '')
      isList = place?.settle(true) ?? true
    }
    let problem = yield* readElement(parent, tag, shape, beginList)
    for (let count = 1; !problem; count++) {
      const next = yield* nextTag()
      if (next?.type !== 'child' || next.name !== tag) break
      if (isDoubtful && !isList) beginList()
      if (!isList) break
      problem = yield* readElement(parent, tag, shape.item(count))
    }
    if (isList && !problem) put(Token.endArray, '')
    place?.settle(false)
    return problem
  }

  /** Begins an object with what the attributes say of it; gives their names. */
  const beginObject = (shape: Shape, attributes: Attributes): Set<string> => {
    const known = new Map(attributes.filter(([name]) => shape.propertyNames.includes(name)))
    put(Token.beginObject, '')
    for (const [name, value] of known) {
      put(Token.key, name)
      put(Token.beginRaw, '')
      put(Token.text, value)
      put(Token.endText, '')
    }
    return new Set(known.keys())
  }

  /** Reads the children of an element and its close tag. That is missing before one that closes an element around it, or the call, or before another call. */
  function* readChildren(element: Element, isOtherCall = (_tag: string) => false): Reading<Problem | undefined> {
    const { tag, shape, isObject, attributes } = element
    if (openTags.length === MAX_DEPTH) return malformed(`nested deeper than ${MAX_DEPTH} levels`)
    openTags.push(tag)
    const given = isObject ? beginObject(shape, attributes) : new Set<string>()
    if (!isObject) put(Token.beginArray, '')
    let found = yield* nextTag()
    for (let count = 0; found?.type === 'child' && !isOtherCall(found.name); count++) {
      if (given.has(found.name)) return malformed(`the argument ${JSON.stringify(found.name)} is given twice`)
      if (isObject) given.add(found.name)
      const problem = isObject
        ? yield* readProperty(element, found.name)
        : yield* readElement(element, found.name, shape.item(count))
      if (problem) return problem
      found = yield* nextTag()
    }
    openTags.pop()
    const problem = endAt(found, tag)
    if (!problem) put(isObject ? Token.endObject : Token.endArray, '')
    return problem
  }
  const endAt = (found: Found | undefined, tag: string): Problem | undefined => {
    if (found === undefined) {
      const rest = cursor.text.slice(cursor.at)
      // Half a tag that closes nothing begins something else.
      if (cursor.isCut || !(rest.startsWith(`${bracket}/`) || bracket.startsWith(rest))) return CUT
      cursor.at += rest.length
    } else if (found.type === 'close') {
      if (found.name === tag) cursor.at += found.length
      else if (!openTags.includes(found.name) && !ends.includes(closeOf(found.name))) {
        return malformed(`</${found.name}> closes nothing`)
      }
    } else if (found.type !== 'child') return malformed('text between the arguments')
    return undefined
  }

  return { nextTag, readChildren, beginObject }
}

/** Hands on tokens, but keeps them from a place on where a bracket may still be needed. */
function createWaitingSink(sink: ValueSink, maxHeldChars: number) {
  let recorder: ValueRecorder | undefined
  let openPlaces = 0
  const release = () => {
    recorder?.replay(sink)
    recorder = undefined
    openPlaces = 0
  }
  return {
    put(token: Token, text: string) {
      if (recorder) recorder.put(token, text)
      else sink(token, text)
      if (recorder && recorder.heldChars() > maxHeldChars) release()
    },
    reserve() {
      recorder ??= createValueRecorder()
      openPlaces++
      const own = recorder
      const fill = own.reserve()
      let isSettled = false
      return {
        /** Says whether a list begins there. False if that comes too late. */
        settle(isList: boolean): boolean {
          if (isSettled || recorder !== own) return false
          isSettled = true
          if (isList) fill(Token.beginArray)
          if (--openPlaces === 0) release()
          return isList
        },
      }
    },
  }
}
