import { randomId } from '../dialects/random-id.js'

// An id is a prefix and 24 letters and digits. The first 20 of them, the stem, are the same in a
// response and in its items, so a reference to an item leads to its response:
//
//     resp_q3ZbT0YwLmA9sXc7RdE1kP5u
//     msg_q3ZbT0YwLmA9sXc7RdE10000   the first item of the output
//     msg_q3ZbT0YwLmA9sXc7RdE1ZZZ0   the first item of the input

const STEM_CHARS = 20
const INDEX_CHARS = 4
const idPattern = new RegExp(`^[a-z]{2,5}_([A-Za-z0-9]{${STEM_CHARS}})[A-Za-z0-9]{${INDEX_CHARS}}$`)

export function newResponseId(): string {
  return randomId('resp_')
}

/** Returns the id of the item at an index of a response's output. */
export function outputItemId(responseId: string, prefix: string, index: number): string {
  return itemId(responseId, prefix, index, '0')
}

/** Returns the id of the item at an index of a request's input, if the client gave it none. */
export function inputItemId(responseId: string, prefix: string, index: number): string {
  return itemId(responseId, prefix, index, 'Z')
}

function itemId(responseId: string, prefix: string, index: number, filler: string): string {
  return `${prefix}${stemOf(responseId)}${index.toString(36).padStart(INDEX_CHARS, filler)}`
}

/** Returns the stem of an id; undefined for a text that is not an id of a proxy. */
export function stemOf(id: string): string | undefined {
  return idPattern.exec(id)?.[1]
}
