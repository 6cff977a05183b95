import type { ModelParams, PromptMessage } from '../model-types.js'

// An estimate of the tokens of a prompt, for clients that ask before they send it. Only the model's
// tokenizer could count them.

/** Bytes of UTF-8 per token. English, code, JSON and Chinese have 3.5 to 4.2, other scripts more. */
const BYTES_PER_TOKEN = 3.5

/** Tokens that a chat template writes around a message. */
const MESSAGE_TOKENS = 4

/** Tokens of an image or a file, whatever its size. An image of one megapixel has 1000 to 1600. */
const FILE_TOKENS = 1500

type PromptPart = Exclude<PromptMessage['content'], string>[number]
type ToolOutput = Extract<PromptPart, { type: 'tool-result' }>['output']

const encoder = new TextEncoder()

/** Estimates the tokens of a request as the server gets it, in one pass over its texts. */
export function estimateTokens({ prompt, tools }: Pick<ModelParams, 'prompt' | 'tools'>): number {
  const messages = sum(prompt, ({ content }) => MESSAGE_TOKENS + ofContent(content))
  // Only in rescue mode; otherwise they are in the prompt.
  return Math.ceil(messages + (tools ? ofText(JSON.stringify(tools)) : 0))
}

function sum<Item>(items: readonly Item[], tokens: (item: Item) => number): number {
  return items.reduce((total, item) => total + tokens(item), 0)
}

function ofText(text: string): number {
  return encoder.encode(text).length / BYTES_PER_TOKEN
}

function ofContent(content: PromptMessage['content']): number {
  return typeof content === 'string' ? ofText(content) : sum<PromptPart>(content, ofPart)
}

function ofPart(part: PromptPart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return ofText(part.text)
    case 'file':
      return FILE_TOKENS
    case 'tool-call':
      return ofText(part.toolName + JSON.stringify(part.input))
    case 'tool-result':
      return ofOutput(part.output)
    default:
      return 0
  }
}

function ofOutput(output: ToolOutput): number {
  if (output.type === 'execution-denied') return ofText(output.reason ?? '')
  if (output.type !== 'content') return ofText(JSON.stringify(output.value))
  return sum(output.value, part => (part.type === 'text' ? ofText(part.text) : FILE_TOKENS))
}
