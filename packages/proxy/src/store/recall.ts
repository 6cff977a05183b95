import { fieldsOf } from '../dialects/fields.js'
import { clip } from '../http/clip.js'
import { badRequest, HttpError } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import type { ClientResponses } from './client-responses.js'
import { stemOf } from './response-ids.js'
import {
  type Item,
  inputItems,
  isReference,
  itemsOf,
  type StoredResponse,
} from './stored-response.js'

/** The input of a request with everything that it refers to. */
export interface Recalled {
  /** The items of the responses before this one, the oldest first. */
  readonly earlier: readonly unknown[]
  /** The request's own input. Each reference is replaced by its item. */
  readonly input: unknown
  /** Stores the response to this request. Returns whether it is stored. */
  readonly keep: (response: Item) => Promise<boolean>
}

/** The longest chain of responses that is followed. */
const MAX_CHAIN = 1000
/** The most responses that the references of a request may lead to. */
const MAX_RESPONSES = 1000
/** So many responses are read at the same time. */
const BATCH = 16

/**
 * Reads from the store what a request refers to: `previous_response_id`, and
 * `{"type": "item_reference", "id": "msg_1"}` in its input. Together the items may have `maxChars`
 * characters, because one long item may be referred to many times.
 */
export async function recall(
  body: unknown,
  responses: ClientResponses,
  maxChars: number,
): Promise<Recalled> {
  const fields = fieldsOf(body)
  const countInput = createLimit(maxChars)
  const turns = await readTurns(fields.string('previous_response_id'), responses, countInput)
  const earlier = turns.flatMap(({ items }) => items)
  const { input } = fields.value
  const own: readonly unknown[] | undefined = Array.isArray(input) ? input : undefined
  const ids = referencesIn([...earlier, ...(own ?? [])])
  const found = await findItems(ids, { turns, responses, maxChars })
  const resolve = (item: unknown) => {
    if (!isRecord(item) || !isReference(item)) return item
    const id = referenceId(item)
    const known = found.get(id)
    if (!known) throw itemNotFound(id)
    countInput(known.chars)
    return known.item
  }
  return {
    earlier: earlier.map(resolve),
    input: own ? own.map(resolve) : input,
    async keep(response) {
      const id = String(response.id)
      const stem = stemOf(id)
      if (stem === undefined) return false
      return responses.keep(stem, { response, input: inputItems(input, id) })
    },
  }
}

/** Returns stored items, with those that they refer to as far as these are still stored. */
export async function recallItems(
  items: readonly Item[],
  responses: ClientResponses,
  maxChars: number,
): Promise<readonly Item[]> {
  const found = await findItems(referencesIn(items), { turns: [], responses, maxChars })
  return items.map(item => (isReference(item) ? found.get(referenceId(item))?.item : item) ?? item)
}

/** The items of a response and of its request. */
interface Turn {
  readonly stem: string | undefined
  readonly items: readonly Item[]
}

function turnOf(stored: StoredResponse): Turn {
  return { stem: stemOf(String(stored.response.id)), items: itemsOf(stored) }
}

/** Reads the responses from the one that the request names back to the first one, which is first. */
async function readTurns(
  previousId: string | undefined,
  responses: ClientResponses,
  countChars: CountChars,
): Promise<readonly Turn[]> {
  const turns: Turn[] = []
  const seen = new Set<unknown>()
  let id: unknown = previousId
  while (id !== undefined && id !== null) {
    if (turns.length >= MAX_CHAIN)
      throw badRequest(
        'previous_response_id',
        `has more than ${MAX_CHAIN} responses before it; send the items in input.`,
      )
    // A store of someone's own may contain a chain that leads back to itself.
    const isNew = !seen.has(id)
    const stored = typeof id === 'string' && isNew ? await findResponse(id, responses) : undefined
    if (!stored) throw previousNotFound(id)
    seen.add(id)
    const turn = turnOf(stored)
    countChars(JSON.stringify(turn.items).length)
    turns.push(turn)
    id = stored.response.previous_response_id
  }
  return turns.reverse()
}

/** Reads a response by its id. */
export async function findResponse(
  id: string,
  responses: ClientResponses,
): Promise<StoredResponse | undefined> {
  const stem = stemOf(id)
  const stored = stem === undefined ? undefined : await responses.find(stem)
  return stored?.response.id === id ? stored : undefined
}

/** An item that was found. */
interface KnownItem {
  readonly item: Item
  /** The length of its JSON. */
  readonly chars: number
}

/** The ids that the items refer to. */
function referencesIn(items: readonly unknown[]): ReadonlySet<string> {
  return new Set(items.filter(isRecord).filter(isReference).map(referenceId))
}

interface FindOptions {
  /** The responses that were read already. */
  readonly turns: readonly Turn[]
  readonly responses: ClientResponses
  /** How many characters the items that are found may have, each counted once. */
  readonly maxChars: number
}

/** Returns the items that have these ids. Those that are not stored are missing. */
async function findItems(
  ids: ReadonlySet<string>,
  { turns, responses, maxChars }: FindOptions,
): Promise<ReadonlyMap<string, KnownItem>> {
  const countChars = createLimit(maxChars)
  const found = new Map<string, KnownItem>()
  const collect = (turn: Turn) => {
    for (const item of ownItems(turn)) {
      const id = String(item.id)
      if (!ids.has(id)) continue
      const chars = JSON.stringify(item).length
      countChars(chars)
      found.set(id, { item, chars })
    }
  }
  // `msg_q3ZbT0YwLmA9sXc7RdE10000` is an item of the response `resp_q3ZbT0YwLmA9sXc7RdE1…`.
  const stems = new Set([...ids].map(stemOf).filter(stem => stem !== undefined))
  for (const turn of turns) {
    if (turn.stem !== undefined && stems.delete(turn.stem)) collect(turn)
  }
  // The stems that are left are of other responses.
  if (stems.size > MAX_RESPONSES)
    throw badRequest('input', `refers to items of more than ${MAX_RESPONSES} responses.`)
  const left = [...stems]
  for (let i = 0; i < left.length; i += BATCH) {
    const read = left.slice(i, i + BATCH).map(stem => responses.find(stem))
    for (const stored of await Promise.all(read)) if (stored) collect(turnOf(stored))
  }
  return found
}

/**
 * Returns the items that a response or its request brought first. A request may also repeat an item
 * of another response, which it may have changed, or refer to one.
 */
function ownItems({ stem, items }: Turn): readonly Item[] {
  return items.filter(item => stemOf(String(item.id)) === stem && !isReference(item))
}

/** `{"type": "item_reference"}` has no id, and is not found. */
function referenceId({ id }: Item): string {
  return typeof id === 'string' ? id : ''
}

/** Counts characters. Throws a 413 when they are too many. */
type CountChars = (chars: number) => void

function createLimit(maxChars: number): CountChars {
  let total = 0
  return chars => {
    total += chars
    if (total > maxChars)
      throw new HttpError(
        413,
        `The items that the request refers to are longer than ${maxChars} characters.`,
        { code: 'body_too_large' },
      )
  }
}

// The first sentence of these messages is OpenAI's: clients look for it.

function previousNotFound(id: unknown): HttpError {
  return new HttpError(
    400,
    `Previous response with id ${quote(id)} not found. It has expired, or it was not stored for this key. Send the earlier items in input.`,
    { code: 'previous_response_not_found', param: 'previous_response_id' },
  )
}

function itemNotFound(id: string): HttpError {
  return new HttpError(
    404,
    `Item with id ${quote(id)} not found. Items are not persisted when \`store\` is set to false. Try again with \`store\` set to true, or remove this item from your input. It may also have expired, or belong to another key: send the item itself.`,
    { type: 'invalid_request_error', param: 'input' },
  )
}

/** Quotes an id for a message. A long one is cut. */
export function quote(id: unknown): string {
  const text = typeof id === 'string' ? id : JSON.stringify(id)
  const shown = clip(text)
  return shown === text ? `'${text}'` : `'${shown}…'`
}
