import { isRecord } from '../is-record.js'
import { inputItemId } from './response-ids.js'

export type Item = Readonly<Record<string, unknown>>

/**
 * A response, and what is needed to continue it. The items of the responses before it are not
 * repeated: `previous_response_id` leads to them. So a conversation takes as many bytes as its
 * items have, and not their number squared.
 */
export interface StoredResponse {
  /** The response as the client got it, with its `id`, `output` and `previous_response_id`. */
  readonly response: Item
  /** The items that its request brought, each with an id. References stay references. */
  readonly input: readonly Item[]
}

/** The text of a stored response. */
export function writeStoredResponse({ response, input }: StoredResponse): string {
  return JSON.stringify({ version: 1, response, input })
}

/** Reads what a store returned; undefined if it is not a stored response. */
export function readStoredResponse(stored: unknown): StoredResponse | undefined {
  const value = typeof stored === 'string' ? tryJson(stored) : stored
  if (!isRecord(value) || value.version !== 1) return undefined
  const { response, input } = value
  if (!isRecord(response) || !Array.isArray(input)) return undefined
  return { response, input: input.filter(isRecord) }
}

/** The items that a request brought, and those of its response. */
export function itemsOf({ response, input }: StoredResponse): readonly Item[] {
  const output = Array.isArray(response.output) ? response.output.filter(isRecord) : []
  return [...input, ...output]
}

/** The ids that items of a request get, by their type. */
const prefixes: ReadonlyMap<unknown, string> = new Map([
  ['message', 'msg_'],
  ['reasoning', 'rs_'],
  ['function_call', 'fc_'],
  ['function_call_output', 'fco_'],
  ['custom_tool_call', 'ctc_'],
  ['custom_tool_call_output', 'ctco_'],
])

/** Returns the input of a request as items that have a type and an id. */
export function inputItems(input: unknown, responseId: string): readonly Item[] {
  if (typeof input === 'string') {
    const content = [{ type: 'input_text', text: input }]
    return inputItems([{ role: 'user', content }], responseId)
  }
  if (!Array.isArray(input)) return []
  return input.filter(isRecord).map((item, i) => {
    if (isReference(item)) return { type: 'item_reference', id: item.id }
    const type = item.type ?? 'message'
    const id =
      typeof item.id === 'string'
        ? item.id
        : inputItemId(responseId, prefixes.get(type) ?? 'item_', i)
    return { ...item, type, id }
  })
}

/** True for `{"type": "item_reference", "id": "msg_1"}`. The type may be missing or null. */
export function isReference(item: Item): boolean {
  if (item.type === 'item_reference') return true
  const hasType = item.type !== undefined && item.type !== null
  return !hasType && item.role === undefined && typeof item.id === 'string'
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
