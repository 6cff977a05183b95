import { badRequest } from '../http/http-error.js'
import { isTextTooDeep, MAX_JSON_DEPTH } from '../http/json-depth.js'
import type { Prompt, PromptMessage } from '../model-types.js'
import { carryFields } from './carried-fields.js'
import { type Fields, fieldsOf } from './fields.js'

export type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]
type FilePart = Extract<UserPart, { type: 'file' }>
export type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<PromptMessage, { role: 'tool' }>['content'][number]
export type ToolOutput = Extract<ToolPart, { type: 'tool-result' }>['output']

/** Builds a prompt from the messages or items of an API. */
export interface PromptBuilder {
  readonly messages: Prompt
  /** `name`: who wrote the message. */
  system(content: string, name?: string): void
  user(content: UserPart[]): void
  assistant(content: AssistantPart[], name?: string): void
  /** Adds to the last message if it is the assistant's; otherwise adds a message. */
  continueAssistant(content: AssistantPart[]): void
  /** Returns a call, and remembers its tool's name for the result. */
  call(toolCallId: string, toolName: string, input: unknown): AssistantPart
  /** Adds a result. Results that follow one another become one message. */
  result(toolCallId: string, output: ToolOutput, toolName?: string): void
}

export function createPrompt(): PromptBuilder {
  const messages: Prompt = []
  const toolNames = new Map<string, string>()
  return {
    messages,
    system: (content, name) =>
      void messages.push({ role: 'system', content, ...carryFields({ name }) }),
    user: content => void messages.push({ role: 'user', content }),
    assistant: (content, name) =>
      void messages.push({ role: 'assistant', content, ...carryFields({ name }) }),
    continueAssistant(content) {
      const last = messages.at(-1)
      if (last?.role === 'assistant') last.content.push(...content)
      else messages.push({ role: 'assistant', content })
    },
    call(toolCallId, toolName, input) {
      toolNames.set(toolCallId, toolName)
      return { type: 'tool-call', toolCallId, toolName, input }
    },
    result(toolCallId, output, toolName = 'unknown') {
      const part: ToolPart = {
        type: 'tool-result',
        toolCallId,
        toolName: toolNames.get(toolCallId) ?? toolName,
        output,
      }
      const last = messages.at(-1)
      if (last?.role === 'tool') last.content.push(part)
      else messages.push({ role: 'tool', content: [part] })
    },
  }
}

/** Reads content that is a string or a list of parts. */
export function readContent<Part>(
  owner: Fields,
  key: string,
  {
    text,
    part,
  }: { readonly text: (text: string) => Part; readonly part: (fields: Fields) => Part },
): Part[] {
  const content = owner.value[key]
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [text(content)]
  if (!Array.isArray(content))
    throw badRequest(owner.pathOf(key), 'must be a string or a list of parts.')
  return content.map((item, i) => part(fieldsOf(item, `${owner.pathOf(key)}[${i}]`)))
}

export function textPart(text: string): { type: 'text'; text: string } {
  return { type: 'text', text }
}

/** Joins the texts of parts. Other parts are left out. */
export function textOf(parts: readonly (UserPart | AssistantPart)[], separator = ''): string {
  return parts.flatMap(part => (part.type === 'text' ? [part.text] : [])).join(separator)
}

/** Reads the URL of a file, which may be a data URL. */
export function readFile(address: string, mediaType: string, path: string): FilePart {
  // `data:image/png;base64,AAAA`. Others, such as `data:image/svg+xml,<svg/>`, stay URLs.
  const inline = /^data:([^;,]+)?(?:;[^,]*)?;base64,/i.exec(address)
  if (inline)
    return {
      type: 'file',
      mediaType: inline[1] ?? mediaType,
      data: address.slice(inline[0].length),
    }
  if (!URL.canParse(address)) throw badRequest(path, 'must be an http or data URL.')
  return { type: 'file', mediaType, data: new URL(address) }
}

/** Turns the parts of a tool's result into the SDK's output. */
export function outputOf(parts: readonly UserPart[], isError = false): ToolOutput {
  if (parts.every(part => part.type === 'text'))
    return { type: isError ? 'error-text' : 'text', value: textOf(parts, '\n') }
  return {
    type: 'content',
    value: parts.map(part => {
      if (part.type === 'text') return textPart(part.text)
      const { type: _, data, ...others } = part
      if (data instanceof URL) return { type: 'file-url', url: data.href, ...others }
      return { type: 'file-data', data: String(data), ...others }
    }),
  }
}

/**
 * Parses arguments. Text that is not JSON stays text, so that the model sees what it wrote.
 */
export function parseInput(text: string): unknown {
  if (isTextTooDeep(text))
    throw badRequest('arguments', `are nested deeper than ${MAX_JSON_DEPTH} levels.`)
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}
