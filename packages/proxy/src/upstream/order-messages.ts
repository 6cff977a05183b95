import { isRecord } from '../is-record.js'

// The messages of a chat, in an order that every chat template accepts:
//
//   system, system, user, user, system, assistant, assistant
//   system, user, assistant
//
// Qwen 3.5 allows one system message, and only at the beginning. Mistral wants user and assistant
// to alternate, and the user to begin.

type Message = Readonly<Record<string, unknown>>
type Part = Readonly<Record<string, unknown>>

/** The separator of two texts that become one. */
const PARAGRAPH = '\n\n'

/** The user's turn of a conversation that the assistant begins: most templates demand one. */
const ASSISTANT_BEGINS: Message = {
  role: 'user',
  content: '[The conversation begins with the assistant.]',
}

/**
 * Puts the messages of a chat in an order that strict servers accept. A message that is fine where
 * it is stays the same object. A value that is no list of messages is returned as it is.
 */
export function orderMessages(messages: unknown): unknown {
  if (!Array.isArray(messages) || !messages.every(isRecord)) return messages
  const { system, others } = splitSystem(messages)
  const [first] = others
  // `system` alone: many templates need a message of the user.
  if (!first) return system.map(message => ({ ...message, role: 'user' }))
  const begin = first.role === 'assistant' ? [ASSISTANT_BEGINS] : []
  return [...system, ...begin, ...joinNeighbours(others)]
}

/**
 * Joins the system messages before the first message of the user into one. Later ones become text
 * of the user in their place.
 */
function splitSystem(messages: readonly Message[]): {
  readonly system: readonly Message[]
  readonly others: readonly Message[]
} {
  const userAt = messages.findIndex(({ role }) => role === 'user')
  const end = userAt < 0 ? messages.length : userAt
  const before = messages.slice(0, end)
  const after = messages.slice(end)
  const named = before.filter(isSystem).map(message => withRole(message, 'system'))
  const others = [
    ...before.filter(message => !isSystem(message)),
    ...after.map(message => (isSystem(message) ? withRole(message, 'user') : message)),
  ]
  return { system: named.length > 1 ? [joinMessages(named)] : named, others }
}

/** `developer` is OpenAI's newer name for `system`. */
function isSystem({ role }: Message): boolean {
  return role === 'system' || role === 'developer'
}

function withRole(message: Message, role: string): Message {
  return message.role === role ? message : { ...message, role }
}

/** Joins neighbouring messages of the user, and of the assistant. */
function joinNeighbours(messages: readonly Message[]): Message[] {
  const runs: Message[][] = []
  for (const message of messages) {
    const run = runs.at(-1)
    const canJoin = message.role === 'user' || message.role === 'assistant'
    if (run && canJoin && run[0]?.role === message.role) run.push(message)
    else runs.push([message])
  }
  return runs.flatMap(run => (run.length === 1 ? run : [joinMessages(run)]))
}

/** Joins messages of one role. Images and files stay between the texts around them. */
function joinMessages(run: readonly Message[]): Message {
  return {
    // Not `Object.assign({}, ...run)`: a function cannot have that many arguments.
    ...run.reduce<Message>((all, message) => Object.assign(all, message), {}),
    ...joinedName(run),
    ...joinedCalls(run),
    ...joinedReasoning(run),
    content: joinParts(run.flatMap(({ content }) => partsOf(content))),
  }
}

/** The content of a message that has these parts: a text, if that is all. */
export function joinParts(parts: readonly Part[]): unknown {
  const joined = joinTexts(parts)
  const [only] = joined
  const isText = joined.length === 0 || (joined.length === 1 && only && isPlainText(only))
  return isText ? (only?.text ?? '') : joined
}

function partsOf(content: unknown): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isRecord) : []
}

/** `[text, text, image, text]` becomes `[text, image, text]`. */
function joinTexts(parts: readonly Part[]): Part[] {
  const joined: Part[] = []
  for (const part of parts) {
    const last = joined.at(-1)
    if (last && isPlainText(last) && isPlainText(part))
      joined[joined.length - 1] = { type: 'text', text: `${last.text}${PARAGRAPH}${part.text}` }
    else joined.push(part)
  }
  return joined
}

/** True for a text without other fields, such as `cache_control`. */
function isPlainText(part: Part): boolean {
  return part.type === 'text' && typeof part.text === 'string' && Object.keys(part).length === 2
}

/** The name of whoever wrote the messages. Messages of two people have none. */
function joinedName(run: readonly Message[]): Message {
  const names = new Set(run.map(({ name }) => name))
  return names.size === 1 ? {} : { name: undefined }
}

function joinedCalls(run: readonly Message[]): Message {
  const calls = run.flatMap(message =>
    Array.isArray(message.tool_calls) ? message.tool_calls : [],
  )
  return calls.length > 0 ? { tool_calls: calls } : {}
}

function joinedReasoning(run: readonly Message[]): Message {
  const texts = run.flatMap(({ reasoning_content: text }) =>
    typeof text === 'string' ? [text] : [],
  )
  return texts.length > 0 ? { reasoning_content: texts.join(PARAGRAPH) } : {}
}
