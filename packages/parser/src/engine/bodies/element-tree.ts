import { Kind, type Shape } from '../shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../value-token.js'

export interface ElementStart {
  readonly tag: string
  readonly shape: Shape
  readonly attributes: readonly (readonly [string, string])[]
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
    for (const frame of frames) frame.doubt = undefined
    stopWaiting()
  }
  /** Behind a key's value comes another key: a list is over, a single value was one. */
  const settle = (frame: Frame) => {
    if (waiting?.owner === frame) stopWaiting()
    if (frame.listKey !== undefined) sink(Token.endArray, '')
    frame.listKey = undefined
    frame.doubt = undefined
  }
  /** Begins a list for the element's value. True if it stays open, for more tags of the same name. */
  const beginList = (tag: string): boolean => {
    sink(Token.beginArray, '')
    const frame = top()
    if (!frame?.isObject || frame.doubt || frame.listKey !== undefined) return false
    frame.listKey = tag
    frame.count = 1
    return true
  }
  const beginObject = (frame: Frame, attributes: ElementStart['attributes']) => {
    sink(Token.beginObject, '')
    for (const [name, value] of attributes) {
      if (!frame.shape.propertyNames.includes(name) || frame.seen.has(name)) continue
      frame.seen.add(name)
      sink(Token.key, name)
      sink(Token.beginRaw, '')
      sink(Token.text, value)
      sink(Token.endText, '')
    }
  }

  return {
    /** Says where the values go. */
    begin(given: ValueSink) {
      root = given
      sink = given
    },
    /** Takes the text of the element at hand. */
    put(token: Token, text: string) {
      sink(token, text)
      keepBound()
    },
    depth: () => frames.length,
    isOpen: (tag: string) => frames.some(frame => frame.tag === tag),
    /** The innermost element whose children are being read. */
    parent: top,
    /** A child begins: the shape of what it holds, or undefined if the argument has been given before. */
    beginChild(tag: string): Shape | undefined {
      const frame = top()
      if (!frame?.isObject) return frame?.shape.item(frame.count++)
      const shape = frame.shape.property(tag)
      if (frame.doubt?.key === tag) {
        frame.doubt.open(Token.beginArray)
        if (waiting?.owner === frame) stopWaiting()
        frame.doubt = undefined
        frame.listKey = tag
        frame.count = 1
      }
      if (frame.listKey === tag) return shape.item(frame.count++)
      settle(frame)
      if (frame.seen.has(tag)) return undefined
      frame.seen.add(tag)
      // What may be a list and may be something else is a list if the tag comes again.
      const isDoubtful = (shape.kinds & Kind.array) !== 0 && shape.kinds !== Kind.array
      if (isDoubtful && !waiting) {
        waiting = { recorder: createValueRecorder(), owner: frame }
        sink = waiting.recorder.put
      }
      sink(Token.key, tag)
      if (isDoubtful && waiting) frame.doubt = { key: tag, open: waiting.recorder.reserve() }
      return shape
    },
    /** The content of the element is made of children. `firstChild` is the tag of the first. */
    beginStructure({ tag, shape, attributes }: ElementStart, firstChild: string) {
      keepBound()
      const mayBeList = frames.length > 0 && (shape.kinds & Kind.array) !== 0
      const isList = mayBeList && (isItemTag(firstChild) || !(shape.kinds & Kind.object))
      // <user><name>…</name></user> for a list of users: the element is one of the items.
      const isItem = isList && !isItemTag(firstChild) && shape.item(0).propertyNames.includes(firstChild)
      const isObject = !isList || isItem
      const closesList = isList && !beginList(tag)
      const frame = {
        tag,
        isObject,
        shape: isItem ? shape.item(0) : shape,
        closesList,
        seen: new Set<string>(),
        count: 0,
      }
      frames.push(frame)
      if (isObject) beginObject(frame, attributes)
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
    /** The content of the element is text that begins with `beginning`, which is empty where a tag stands there. */
    beginText({ tag, shape }: ElementStart, beginning: string, isQuoted: boolean) {
      const owner = top()
      const mayList = owner?.isObject && !owner.doubt && owner.listKey === undefined
      if (mayList && shape.kinds === Kind.array && !/^\s*(?:\[|$)/.test(beginning)) beginList(tag)
      sink(isQuoted ? Token.beginQuoted : Token.beginRaw, '')
    },
    endText: () => sink(Token.endText, ''),
  }
}
