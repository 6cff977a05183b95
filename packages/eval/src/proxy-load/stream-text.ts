import { getProtocol } from '@toolglot/parser'

/** The text of a stream. It depends only on the stream's number, so that the client can check it. */
export interface StreamText {
  /** Prose that ends with its own checksum. */
  readonly prose: string
  /** Arguments of the call after the prose. Every fourth stream has one. */
  readonly args: CallArgs | undefined
  /** The whole text as the model writes it, token by token. */
  readonly tokens: readonly string[]
}

export interface CallArgs {
  readonly stream: number
  readonly note: string
}

export const TOOL_NAME = 'take_note'
export const PROTOCOL = 'hermes'
export const noteTool = {
  name: TOOL_NAME,
  description: 'Takes a note of a stream.',
  parameters: {
    type: 'object',
    properties: { stream: { type: 'integer' }, note: { type: 'string' } },
    required: ['stream', 'note'],
  },
}

const words = [
  'sun',
  'river',
  'über',
  'table',
  'seven',
  'no',
  'paper',
  '<b>',
  'light',
  '"so"',
  'stone',
  'and',
  'naïve',
]

export function createStreamText(stream: number, tokenCount: number): StreamText {
  const random = createRandom(stream)
  const said = [`stream ${stream}:`]
  for (let i = 0; i < tokenCount; i++) said.push(words[random() % words.length] ?? '')
  const text = `${said.join(' ')} `
  const prose = `${text}sum ${checksum(text)}.\n`
  const args = stream % 4 === 0 ? { stream, note: said.slice(-12).join(' ') } : undefined
  const protocol = getProtocol(PROTOCOL)
  const call = args
    ? protocol.formatToolCall({ toolCallId: 'c', toolName: TOOL_NAME, input: { ...args } })
    : ''
  return { prose, args, tokens: (prose + call).match(/\s*[^\s]{1,7}|\s+$/gu) ?? [] }
}

/** FNV-1a, of 32 bits. */
export function checksum(text: string): string {
  let sum = 0x811c9dc5
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193)
  return (sum >>> 0).toString(16).padStart(8, '0')
}

function createRandom(seed: number): () => number {
  let state = (seed + 1) * 2654435761
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state >>> 8
  }
}
