import { type Cursor, noteAtKey, type Reading } from '../text/cursor.js'
import { JsonType, type Shape } from '../values/shape.js'
import { createValueRecorder, Token, type ValueRecorder, type ValueSink } from '../values/tokens.js'

// Lists whose items are tags of their own (decision 14): `<tags>a</tags><city>Rome</city><tags>b</tags>`.
// Another item may come up to the end of the object, so they are held until then.

/** The lists of an object that are held. */
export interface HeldLists {
  readonly put: ValueSink
  /** How many characters may be held. */
  readonly maxChars: number
  /** How many were held so far. */
  chars: number
  readonly lists: Map<string, HeldList>
}

/** A list that is held, or was too long for it. */
interface HeldList {
  /** The key as the model wrote it. */
  readonly writtenKey: string
  readonly shape: Shape
  readonly tokens: ValueRecorder
  count: number
  /**
   * The list was too long to be held, so its items are put as they come. It ends with the items that
   * follow each other.
   */
  state: 'held' | 'put' | 'over'
}

export const createHeldLists = (put: ValueSink, maxChars: number): HeldLists => ({
  put,
  maxChars,
  chars: 0,
  lists: new Map(),
})

/** True where the schema wants a list, which may be null at most. */
export const wantsList = ({ types }: Shape) => (types & ~JsonType.null) === JsonType.array

/** Tells whether another item of a list may come. */
export const mayGoOn = ({ lists }: HeldLists, key: string) => lists.get(key)?.state === 'held'

/** Makes the sink of the items of a list that follow each other. */
export function holdItems(
  held: HeldLists,
  key: string,
  writtenKey: string,
  shape: Shape,
): { readonly put: ValueSink; readonly list: HeldList } {
  const known = held.lists.get(key)
  const list = known ?? {
    writtenKey,
    shape,
    tokens: createValueRecorder(),
    count: 0,
    state: 'held',
  }
  held.lists.set(key, list)
  let depth = 0
  const put: ValueSink = (token, text) => {
    if (depth === 0 && token !== Token.text && token !== Token.endText) list.count++
    if (token === Token.beginObject || token === Token.beginArray) depth++
    putItem(held, list, token, text)
    if (token === Token.endObject || token === Token.endArray) depth--
  }
  return { put, list }
}

function putItem(held: HeldLists, list: HeldList, token: Token, text: string): void {
  if (list.state === 'put') {
    held.put(token, text)
    return
  }
  list.tokens.put(token, text)
  // A piece of text adds nothing of its own: where chunks end must make no difference.
  held.chars += token === Token.text ? text.length : text.length + 1
  if (held.chars <= held.maxChars) return
  list.state = 'put'
  held.put(Token.key, list.writtenKey)
  held.put(Token.beginArray, '')
  list.tokens.replay(held.put)
}

/** `<tags>a</tags><tags>b</tags>|<city>` Items that follow each other are over. */
export function endItems(held: HeldLists, list: HeldList): void {
  if (list.state !== 'put') return
  held.put(Token.endArray, '')
  list.state = 'over'
}

/** `<tags>a</tags><city>Rome</city>|</find>` Puts the lists that are held. */
export function putHeldLists(cursor: Cursor, held: HeldLists): void {
  for (const [key, list] of held.lists) {
    if (list.state !== 'held') continue
    list.state = 'over'
    held.put(Token.key, list.writtenKey)
    putList(cursor, held, key, list)
  }
}

function putList(cursor: Cursor, { put }: HeldLists, key: string, list: HeldList): void {
  const { shape, tokens, count } = list
  // `<tags>a, b</tags>`: the schema decides what a single value is.
  const isValue = count === 1 && (shape.item(0).types & JsonType.array) === 0
  if (isValue) {
    tokens.replay(put)
    return
  }
  // `<tags>a</tags><tags>b</tags>`
  if (count > 1) noteAtKey(cursor, 'other-item-tag', key)
  put(Token.beginArray, '')
  tokens.replay(put)
  put(Token.endArray, '')
}

/** Reads a value that is held: what is recorded meanwhile is about its argument. */
export function* readHeld<Result>(
  cursor: Cursor,
  key: string,
  reading: Reading<Result>,
): Reading<Result> {
  const { onRepair } = cursor
  cursor.onRepair = (code, offset, path = key) => onRepair?.(code, offset, path)
  try {
    return yield* reading
  } finally {
    cursor.onRepair = onRepair
  }
}
