import { Kind, type Shape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'

type Attributes = readonly (readonly [string, string])[]

export interface Element {
  readonly tag: string
  readonly shape: Shape
  readonly attributes: Attributes
}

/** An element whose children are being read. */
interface Frame {
  readonly tag: string
  readonly isObject: boolean
  readonly shape: Shape
  /** The element stands inside a list of its own, which ends with it. */
  readonly closesList: boolean
  readonly seen: Set<string>
  /** The key whose list is still open, because the same tag may come again. */
  listKey?: string | undefined
  /** How many items that list has, or the element itself. */
  count: number
  /** A key whose value may be the first of a list, kept until it is clear whether its tag comes again; and what puts in the bracket. */
  doubt?: { readonly key: string; readonly open: (token: Token) => void } | undefined
}

/** True for the tags that say of themselves that they are items of a list. */
export const isItemTag = (tag: string) => /^(?:item|\d+)$/.test(tag)

/**
 * Makes a value of elements: children become keys, `item` and index tags lists, and so do tags that come again. It says
 * what each element may hold, so that its reader knows text from structure.
 */
export function createElementTree(maxHeldChars: number) {
  let root: ValueSink = () => {}
  const frames: Frame[] = []
  /** Keeps the outermost value that waits, with all that is in it, and the element it belongs to. */
  let waiting: { readonly recorder: ValueRecorder; readonly owner: Frame } | undefined

  const put: ValueSink = (token, text) => (waiting ? waiting.recorder.put : root)(token, text)
  const top = () => frames[frames.length - 1]
  const stopWaiting = () => {
    const recorder = waiting?.recorder
    waiting = undefined
    recorder?.replay(root)
  }
  /** Too much waits for a tag that may come again: it is given out, and nothing in it waits any longer. */
  const keepBound = () => {
    if (!waiting || waiting.recorder.heldChars() <= maxHeldChars) return
    for (const frame of frames) frame.doubt = undefined
    stopWaiting()
  }
  /** It is clear whether the last key has a list: it has one if its tag came again. */
  const settle = (frame: Frame, listKey?: string) => {
    if (waiting?.owner === frame) stopWaiting()
    if (frame.listKey !== undefined) put(Token.endArray, '')
    frame.doubt = undefined
    frame.listKey = listKey
    frame.count = 1
  }
  /** Begins a list with one value in it. True if it stays open, for more tags of the same name. */
  const beginList = (tag: string): boolean => {
    put(Token.beginArray, '')
    const frame = top()
    if (!frame?.isObject || frame.doubt || frame.listKey !== undefined) return false
    settle(frame, tag)
    return true
  }
  const beginObject = ({ tag, shape, attributes }: Element, closesList: boolean) => {
    const seen = new Set<string>()
    frames.push({ tag, isObject: true, shape, closesList, seen, count: 0 })
    put(Token.beginObject, '')
    for (const [name, value] of attributes) {
      if (!shape.propertyNames.includes(name) || seen.has(name)) continue
      seen.add(name)
      put(Token.key, name)
      put(Token.beginRaw, '')
      put(Token.text, value)
      put(Token.endText, '')
    }
  }

  const closeTo = (depth: number) => {
    for (let frame = top(); frame && frames.length > depth; frame = top()) {
      frames.pop()
      if (frame.isObject) {
        settle(frame)
        put(Token.endObject, '')
      }
      if (frame.closesList) put(Token.endArray, '')
    }
  }

  return {
    /** Begins the outermost element, and says where the values go. */
    begin(sink: ValueSink, element: Element) {
      root = sink
      beginObject(element, false)
    },
    /** Takes the text of the element at hand. */
    put(token: Token, text: string) {
      put(token, text)
      keepBound()
    },
    depth: () => frames.length,
    /** The innermost element whose children are being read. */
    parent: top,
    /** A child begins: the shape of what it holds, or undefined if the argument has been given before. */
    beginChild(tag: string): Shape | undefined {
      const frame = top()
      if (!frame?.isObject) return frame?.shape.item(frame.count++)
      const shape = frame.shape.property(tag)
      if (frame.doubt?.key === tag) {
        frame.doubt.open(Token.beginArray)
        settle(frame, tag)
      }
      if (frame.listKey === tag) return shape.item(frame.count++)
      settle(frame)
      if (frame.seen.has(tag)) return undefined
      frame.seen.add(tag)
      // What may be a list and may be something else is a list if the tag comes again.
      const isDoubtful = (shape.kinds & Kind.array) !== 0 && shape.kinds !== Kind.array
      if (isDoubtful) waiting ??= { recorder: createValueRecorder(), owner: frame }
      put(Token.key, tag)
      if (isDoubtful && waiting) frame.doubt = { key: tag, open: waiting.recorder.reserve() }
      return shape
    },
    /** The content of the element is made of children. `firstChild` is the tag of the first. */
    beginStructure(element: Element, firstChild: string) {
      keepBound()
      const { tag, shape } = element
      const item = shape.item(0)
      const isList = (shape.kinds & Kind.array) !== 0 && (isItemTag(firstChild) || !(shape.kinds & Kind.object))
      if (!isList) beginObject(element, false)
      // <user><name>…</name></user> for a list of users: the element is one of the items.
      else if (!isItemTag(firstChild) && item.propertyNames.includes(firstChild)) {
        beginObject({ ...element, shape: item }, !beginList(tag))
      } else {
        put(Token.beginArray, '')
        frames.push({ tag, isObject: false, shape, closesList: true, seen: new Set(), count: 0 })
      }
    },
    /** Closes the innermost element of that tag, and those inside it that were not closed. False if there is none but the outermost. */
    close(tag: string): boolean {
      const depth = frames.findLastIndex(frame => frame.tag === tag)
      if (depth < 1) return false
      closeTo(depth)
      return true
    },
    end: () => closeTo(0),
    /** The content of the element is text; `isItem` if that does not look like a list of its own. */
    beginText({ tag, shape }: Element, isItem: boolean, isQuoted: boolean) {
      const owner = top()
      const mayList = owner?.isObject && !owner.doubt && owner.listKey === undefined
      if (mayList && shape.kinds === Kind.array && isItem) beginList(tag)
      put(isQuoted ? Token.beginQuoted : Token.beginRaw, '')
    },
  }
}
