import { badRequest } from '../http/http-error.js'
import type { ModelParams, Prompt } from '../model-types.js'
import {
  type BlockReader,
  isServerResult,
  readServerBlock,
  readServerResult,
} from './anthropic-history.js'
import { type Fields, fieldsOf } from './fields.js'
import {
  type AssistantPart,
  createPrompt,
  outputOf,
  readContent,
  readFile,
  textOf,
  textPart,
  type UserPart,
} from './prompt.js'
import { refuseChoice, refuseEmptyChoice } from './server-tools.js'
import { jsonFormat } from './settings.js'
import type { ToolMap } from './tool-map.js'
import { readToolName, type ToolChoice } from './tools.js'
import type { Warnings } from './warnings.js'

/** Reads the system message and the messages as a prompt. */
export function readAnthropicMessages(body: Fields, map: ToolMap, warnings: Warnings): Prompt {
  const prompt = createPrompt()
  const reader: BlockReader = { prompt, map, warnings }
  const system = readText(body, 'system')
  if (system) prompt.system(system)
  const systemCount = prompt.messages.length
  const messages = body.need('messages', body.list('messages'))
  if (messages.length === 0) throw badRequest('messages', 'is empty.')
  messages.forEach((item, i) => {
    const message = fieldsOf(item, `messages[${i}]`)
    const role = message.need('role', message.string('role'))
    message.need('content', message.value.content ?? undefined)
    if (role === 'user') readUserTurn(message, reader)
    else if (role === 'assistant') readAssistantTurn(message, reader)
    else if (role === 'system') prompt.system(readText(message, 'content'))
    else
      throw badRequest(
        message.pathOf('role'),
        `is ${JSON.stringify(role)}; expected user, assistant or system.`,
      )
  })
  // `[{ role: "user", content: [] }]`
  if (prompt.messages.length === systemCount) throw badRequest('messages', 'has no content.')
  return prompt.messages
}

function readText(owner: Fields, key: string): string {
  return textOf(readContent<UserPart>(owner, key, { text: textPart, part: readUserBlock }), '\n')
}

/** Reads a user message. Its `tool_result` blocks become messages of their own. */
function readUserTurn(message: Fields, reader: BlockReader): void {
  const { prompt } = reader
  const said: UserPart[] = []
  const flush = () => {
    if (said.length) prompt.user(said.splice(0))
  }
  readContent<void>(message, 'content', {
    text: text => void said.push(textPart(text)),
    part(block) {
      const type = block.string('type') ?? ''
      if (type !== 'tool_result' && !isServerResult(type)) {
        said.push(readUserBlock(block))
        return
      }
      flush()
      if (isServerResult(type)) {
        readServerResult(block, reader)
        return
      }
      const id = block.need('tool_use_id', block.string('tool_use_id'))
      const content = readContent<UserPart>(block, 'content', {
        text: textPart,
        part: readUserBlock,
      })
      prompt.result(id, outputOf(content, block.boolean('is_error') ?? false))
    },
  })
  flush()
}

function readUserBlock(block: Fields): UserPart {
  const type = block.need('type', block.string('type'))
  switch (type) {
    case 'text':
      return textPart(block.need('text', block.string('text')))
    case 'image':
      return readSource(block, 'image/*')
    case 'document':
      return readSource(block, 'application/pdf')
    case 'search_result':
      return textPart([block.string('title') ?? '', readText(block, 'content')].join('\n'))
    case 'tool_reference': {
      const name = block.need('tool_name', block.string('tool_name'))
      return textPart(`The tool ${name} can be called now.`)
    }
    default:
      throw badRequest(
        block.pathOf('type'),
        `is ${JSON.stringify(type)}; expected text, image, document, search_result or tool_result.`,
      )
  }
}

function readSource(block: Fields, mediaType: string): UserPart {
  const source = block.need('source', block.object('source'))
  const type = source.need('type', source.string('type'))
  switch (type) {
    case 'base64':
      return {
        type: 'file',
        mediaType: source.string('media_type') ?? mediaType,
        data: source.need('data', source.string('data')),
      }
    case 'url':
      return readFile(source.need('url', source.string('url')), mediaType, source.pathOf('url'))
    case 'text':
      return textPart(source.need('data', source.string('data')))
    case 'content':
      return textPart(readText(source, 'content'))
    default:
      throw badRequest(
        source.pathOf('type'),
        `is ${JSON.stringify(type)}, but the proxy stores no files; expected base64, url, text or content.`,
      )
  }
}

/** Reads a message of the assistant. After a result that it contains, a new message begins. */
function readAssistantTurn(message: Fields, reader: BlockReader): void {
  const { prompt } = reader
  const parts: AssistantPart[] = []
  let hasResult = false
  readContent<void>(message, 'content', {
    text: text => void parts.push(textPart(text)),
    part(block) {
      const type = block.need('type', block.string('type'))
      if (isServerResult(type)) {
        hasResult = true
        if (parts.length) prompt.assistant(parts.splice(0))
        readServerResult(block, reader)
        return
      }
      const part = readAssistantBlock(block, type, reader)
      if (part) parts.push(part)
    },
  })
  if (parts.length > 0 || !hasResult) prompt.assistant(parts)
}

function readAssistantBlock(
  block: Fields,
  type: string,
  reader: BlockReader,
): AssistantPart | undefined {
  switch (type) {
    case 'text':
      return textPart(block.need('text', block.string('text')))
    // The signature proves to Anthropic that its model wrote this; other models do not need it.
    case 'thinking':
      return { type: 'reasoning', text: block.string('thinking') ?? '' }
    case 'redacted_thinking':
      return undefined
    case 'tool_use': {
      const id = block.need('id', block.string('id'))
      const name = block.need('name', block.string('name'))
      return reader.prompt.call(id, name, block.value.input ?? {})
    }
    default:
      return readServerBlock(block, type, reader)
  }
}

export function readAnthropicToolChoice(
  body: Fields,
  map: ToolMap,
  warnings: Warnings,
): { readonly toolChoice?: ToolChoice; readonly isOne: boolean } {
  const choice = body.object('tool_choice')
  if (!choice) return { isOne: false }
  const type = choice.need('type', choice.string('type'))
  const isOne = choice.boolean('disable_parallel_tool_use') ?? false
  if (type === 'auto' || type === 'none') return { toolChoice: { type }, isOne }
  if (type === 'any') {
    refuseEmptyChoice(!!map.tools?.length, true, warnings)
    return { toolChoice: { type: 'required' }, isOne }
  }
  if (type === 'tool') {
    const name = choice.string('name')
    if (name !== undefined && warnings.hasTool(name)) refuseChoice(choice, 'name', name)
    return { toolChoice: { type: 'tool', toolName: readToolName(choice, map.tools) }, isOne }
  }
  throw badRequest(
    choice.pathOf('type'),
    `is ${JSON.stringify(type)}; expected auto, any, tool or none.`,
  )
}

/**
 * Returns whether the client wants reasoning. A client that did not ask for it may fail on a block
 * that it does not know.
 */
export function readThinking(body: Fields): boolean {
  const thinking = body.object('thinking')
  if (!thinking) return false
  const type = thinking.need('type', thinking.string('type'))
  return type !== 'disabled' && thinking.string('display') !== 'omitted'
}

export function readOutputFormat(body: Fields): ModelParams['responseFormat'] {
  const format = body.object('output_config')?.object('format') ?? body.object('output_format')
  if (!format) return undefined
  const type = format.need('type', format.string('type'))
  if (type !== 'json_schema')
    throw badRequest(format.pathOf('type'), `is ${JSON.stringify(type)}; expected json_schema.`)
  return jsonFormat(format)
}
