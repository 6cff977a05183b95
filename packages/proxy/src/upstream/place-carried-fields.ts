import { isRecord } from '../is-record.js'
import { joinParts } from './order-messages.js'

type Fields = Readonly<Record<string, unknown>>

/**
 * Puts the fields that `carryFields` noted where a chat server expects them: `detail` into the image,
 * and the name of the parts of a message into the message.
 *
 *     { type: "image_url", image_url: { url }, detail: "low", name: "Ann" }
 */
export function placeCarriedFields(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages
  return messages.map((message: unknown) => {
    if (!isRecord(message) || !Array.isArray(message.content)) return message
    const parts = message.content.filter(isRecord)
    return parts.some(isCarrier) ? placeInMessage(message, parts) : message
  })
}

function isCarrier({ name, detail }: Fields): boolean {
  return name !== undefined || detail !== undefined
}

function placeInMessage(message: Fields, parts: readonly Fields[]): Fields {
  // The middleware has kept the texts of the parts apart, because of their names.
  const content = joinParts(parts.map(placeInPart))
  const names = new Set(parts.map(({ name }) => name))
  const [name] = names
  // A message of two people, or of one and a tool's result, has no name.
  return names.size === 1 && name !== undefined
    ? { ...message, name, content }
    : { ...message, content }
}

function placeInPart({ name: _, detail, ...part }: Fields): Fields {
  if (detail === undefined || !isRecord(part.image_url)) return part
  return { ...part, image_url: { ...part.image_url, detail } }
}
