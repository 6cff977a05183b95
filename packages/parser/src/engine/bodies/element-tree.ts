import { Kind, type Shape, silentShape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'

/**
 * Makes a value of elements: children become keys, `item` and index tags lists, and so do tags that come again. It says
 * what each element may hold, so that its reader knows text from structure.
 */
export interface ElementTree {
  /** Where the values go. */
  begin(sink: ValueSink): void
  /** Takes the text of the element at hand. */
  readonly put: ValueSink
  depth(): number
  /** True while an element of this tag is open. */
  isOpen(tag: string): boolean
  /** The innermost element whose children are being read. */
  parent(): ParentElement | undefined
  /** A child begins: the shape of what it holds, or undefined if the argument has been given before. */
  beginChild(tag: string): Shape | undefined
  /** The content of the element is made of children. `firstChild` is the tag of the first. */
  beginStructure(element: ElementStart, firstChild: string): void
  endStructure(): void
  /** The content of the element is text that begins with `beginning`, which is empty where a tag stands there. */
  beginText(element: ElementStart, beginning: string, isQuoted: boolean): void
  endText(): void
}

export interface ElementStart {
  readonly tag: string
  readonly shape: Shape
  readonly attributes: readonly (readonly [string, string])[]
}

export interface ParentElement {
  readonly tag: string
  readonly isObject: boolean
  readonly shape: Shape
}

interface Frame extends ParentElement {
  /** The element stands inside a list of its own, which ends with it. */
  readonly closesList: boolean
  readonly seen: Set<string>
  /** The key whose list is still open, because the same tag may come again. */
  listKey: string | undefined
  listShape: Shape
  count: number
  /** A value that may be the first of a list, kept until it is clear whether its tag comes again. */
  pending: PendingValue | undefined
}

interface PendingValue {
  readonly key: string
  readonly shape: Shape
  /** Puts in front of the value the bracket that makes it the first of a list. */
  readonly open: (token: Token) => void
}

const isIndex = (tag: string) => /^\d+$/.test(tag)
/** True for the tags that say of themselves that they are items of a list. */
export const isItemTag = (tag: string) => tag === 'item' || isIndex(tag)

export function createElementTree(maxHeldChars: number): ElementTree {
  const frames: Frame[] = []
  let root: ValueSink = () => {}
  /** Keeps the outermost value that waits, with all that is in it, and the element it belongs to. */
  let waiting: { readonly recorder: ValueRecorder; readonly owner: Frame } | undefined
  /** Where values go at the moment: to the root, or into that recorder. */
  let sink = root

  const top = () => frames[frames.length - 1]
  const stopWaiting = () => {
    const recorder = waiting?.recorder
    waiting = undefined
    sink = root
    recorder?.replay(root)
  }
  /** Too much waits for a tag that may come again: it is given out, and nothing in it waits any longer. */
  const keepBound = () => {
    if (!waiting || waiting.recorder.heldChars() <= maxHeldChars) return
    for (const frame of frames) frame.pending = undefined
    stopWaiting()
  }
  /** Behind a key's value comes another key: a list is over, a single value was one. */
  const settle = (frame: Frame) => {
    if (waiting?.owner === frame) stopWaiting()
    if (frame.listKey !== undefined) sink(Token.endArray, '')
    frame.listKey = undefined
    frame.pending = undefined
  }
  const beginList = (frame: Frame, key: string, shape: Shape) => {
    sink(Token.beginArray, '')
    openList(frame, key, shape)
  }
  const openList = (frame: Frame, key: string, shape: Shape) => {
    frame.listKey = key
    frame.listShape = shape
    frame.count = 1
  }
  /** The object whose key may hold a list that stays open for more tags of the same name. */
  const listOwner = () => {
    const frame = top()
    return frame?.isObject && !frame.pending && frame.listKey === undefined ? frame : undefined
  }
  const push = ({ tag, attributes }: ElementStart, isObject: boolean, shape: Shape, closesList: boolean) => {
    const frame: Frame = {
      tag,
      isObject,
      shape,
      closesList,
      seen: new Set(),
      listKey: undefined,
      listShape: silentShape,
      count: 0,
      pending: undefined,
    }
    frames.push(frame)
    if (!isObject) return
    sink(Token.beginObject, '')
    for (const [name, value] of attributes) {
      if (!shape.propertyNames.includes(name) || frame.seen.has(name)) continue
      frame.seen.add(name)
      sink(Token.key, name)
      sink(Token.beginRaw, '')
      sink(Token.text, value)
      sink(Token.endText, '')
    }
  }

  return {
    begin(given) {
      root = given
      sink = given
    },
    put(token, text) {
      sink(token, text)
      keepBound()
    },
    depth: () => frames.length,
    isOpen: tag => frames.some(frame => frame.tag === tag),
    parent: top,
    beginChild(tag) {
      const frame = top()
      if (!frame) return undefined
      if (!frame.isObject) return frame.shape.item(frame.count++)
      if (frame.listKey === tag) return frame.listShape.item(frame.count++)
      if (frame.pending?.key === tag) {
        const { open, shape } = frame.pending
        open(Token.beginArray)
        if (waiting?.owner === frame) stopWaiting()
        frame.pending = undefined
        openList(frame, tag, shape)
        return shape.item(frame.count++)
      }
      settle(frame)
      if (frame.seen.has(tag)) return undefined
      frame.seen.add(tag)
      const shape = frame.shape.property(tag)
      // What may be a list and may be something else is a list if the tag comes again.
      const isDoubtful = (shape.kinds & Kind.array) !== 0 && shape.kinds !== Kind.array
      if (isDoubtful && !waiting) {
        waiting = { recorder: createValueRecorder(), owner: frame }
        sink = waiting.recorder.put
      }
      sink(Token.key, tag)
      if (isDoubtful && waiting) frame.pending = { key: tag, shape, open: waiting.recorder.reserve() }
      return shape
    },
    beginStructure(element, firstChild) {
      const { tag, shape } = element
      keepBound()
      const mayBeList = frames.length > 0 && (shape.kinds & Kind.array) !== 0
      const isList = mayBeList && (isItemTag(firstChild) || !(shape.kinds & Kind.object))
      if (!isList) return push(element, true, shape, false)
      // <user><name>…</name></user> for a list of users: the element is one of the items.
      const isItem = !isItemTag(firstChild) && shape.item(0).propertyNames.includes(firstChild)
      const owner = listOwner()
      if (owner) beginList(owner, tag, shape)
      else sink(Token.beginArray, '')
      push(element, isItem, isItem ? shape.item(0) : shape, !owner)
    },
    endStructure() {
      const frame = frames.pop()
      if (!frame) return
      if (frame.isObject) {
        settle(frame)
        sink(Token.endObject, '')
      }
      const owner = top()
      if (frame.closesList) sink(Token.endArray, '')
      else if (!frame.isObject && owner) owner.count = frame.count
    },
    beginText({ tag, shape }, beginning, isQuoted) {
      const owner = listOwner()
      const isBareItem = shape.kinds === Kind.array && !/^\s*(?:\[|$)/.test(beginning)
      if (isBareItem && owner) beginList(owner, tag, shape)
      sink(isQuoted ? Token.beginQuoted : Token.beginRaw, '')
    },
    endText() {
      sink(Token.endText, '')
    },
  }
}
