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
  const addChars = createLimit(maxChars)
  const chain = await readChain(fields.string('previous_response_id'), responses, addChars)
  const earlier = chain.flatMap(({ items }) => items)
  const { input } = fields.value
  const own: readonly unknown[] | undefined = Array.isArray(input) ? input : undefined
  const found = await findItems(referencesIn([...earlier, ...(own ?? [])]), chain, {
    responses,
    addChars: createLimit(maxChars),
  })
  const resolve = (item: unknown) => {
    if (!isRecord(item) || !isReference(item)) return item
    const id = referenceId(item)
    const known = found.get(id)
    if (!known) throw itemNotFound(id)
    addChars(known.chars)
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
  const options = { responses, addChars: createLimit(maxChars) }
  const found = await findItems(referencesIn(items), [], options)
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

/** Reads the responses from the one that the request names back to the first one. */
async function readChain(
  previousId: string | undefined,
  responses: ClientResponses,
  addChars: (chars: number) => void,
): Promise<readonly Turn[]> {
  const chain: Turn[] = []
  const seen = new Set<unknown>()
  let id: unknown = previousId
  while (id !== undefined && id !== null) {
    if (chain.length >= MAX_CHAIN)
      throw badRequest(
        'previous_response_id',
        `has more than ${MAX_CHAIN} responses before it; send the items in input.`,
      )
    const isNew = !seen.has(id)
    const stored = typeof id === 'string' && isNew ? await findResponse(id, responses) : undefined
    if (!stored) throw previousNotFound(id)
    seen.add(id)
    const turn = turnOf(stored)
    addChars(JSON.stringify(turn.items).length)
    chain.push(turn)
    id = stored.response.previous_response_id
  }
  return chain.reverse()
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

interface KnownItem {
  readonly item: Item
  /** The length of its JSON. */
  readonly chars: number
}

/** The ids that the items refer to. */
function referencesIn(items: readonly unknown[]): ReadonlySet<string> {
  return new Set(items.filter(isRecord).filter(isReference).map(referenceId))
}

/** Returns the items that have these ids. Those that are not stored are missing. */
async function findItems(
  ids: ReadonlySet<string>,
  chain: readonly Turn[],
  options: {
    readonly responses: ClientResponses
    readonly addChars: (chars: number) => void
  },
): Promise<ReadonlyMap<string, KnownItem>> {
  const found = new Map<string, KnownItem>()
  const add = ({ stem, items }: Turn) => {
    for (const item of items) {
      const id = String(item.id)
      // A request may repeat an item of another response, and may have changed it.
      const isOwn = stemOf(id) === stem && !isReference(item)
      if (!isOwn || !ids.has(id)) continue
      const chars = JSON.stringify(item).length
      options.addChars(chars)
      found.set(id, { item, chars })
    }
  }
  const stems = new Set([...ids].map(stemOf).filter(stem => stem !== undefined))
  for (const turn of chain) {
    if (turn.stem !== undefined && stems.delete(turn.stem)) add(turn)
  }
  if (stems.size > MAX_RESPONSES)
    throw badRequest('input', `refers to items of more than ${MAX_RESPONSES} responses.`)
  const left = [...stems]
  for (let i = 0; i < left.length; i += BATCH) {
    const read = left.slice(i, i + BATCH).map(stem => options.responses.find(stem))
    for (const stored of await Promise.all(read)) if (stored) add(turnOf(stored))
  }
  return found
}

/** `{"type": "item_reference"}` has no id, and is not found. */
function referenceId({ id }: Item): string {
  return typeof id === 'string' ? id : ''
}

function createLimit(maxChars: number): (chars: number) => void {
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
