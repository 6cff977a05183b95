import { badRequest } from '../http/http-error.js'
import type { ModelParams, Prompt, PromptMessage, Tools } from '../model-types.js'
import { type Fields, fieldsOf, isRecord } from './fields.js'

type UserPart = Extract<PromptMessage, { role: 'user' }>['content'][number]
type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type ToolPart = Extract<PromptMessage, { role: 'tool' }>['content'][number]
type ToolChoice = NonNullable<ModelParams['toolChoice']>

/** The messages of a chat as a prompt. Results get the names of the tools from the calls before them. */
export function readMessages(list: readonly unknown[], path = 'messages'): Prompt {
  const prompt: Prompt = []
  const toolNames = new Map<string, string>()
  list.forEach((item, i) => {
    const message = fieldsOf(item, `${path}[${i}]`)
    const role = message.need('role', message.string('role'))
    if (role === 'system' || role === 'developer') prompt.push({ role: 'system', content: readText(message) })
    else if (role === 'user') prompt.push({ role: 'user', content: readUserContent(message) })
    else if (role === 'assistant') prompt.push({ role: 'assistant', content: readAssistantContent(message, toolNames) })
    else if (role === 'tool' || role === 'function') {
      const part = readResult(message, toolNames)
      const last = prompt.at(-1)
      if (last?.role === 'tool') last.content.push(part)
      else prompt.push({ role: 'tool', content: [part] })
    } else
      throw badRequest(
        message.pathOf('role'),
        `is ${JSON.stringify(role)}; system, user, assistant and tool are known.`,
      )
  })
  return prompt
}

/** The content of a message as one text. */
function readText(message: Fields): string {
  const { content } = message.value
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) throw badRequest(message.pathOf('content'), 'must be a string or a list of parts.')
  return content
    .map((item, i) => {
      const part = fieldsOf(item, `${message.pathOf('content')}[${i}]`)
      return part.string('text') ?? part.string('refusal') ?? ''
    })
    .join('')
}

function readUserContent(message: Fields): UserPart[] {
  const { content } = message.value
  if (!Array.isArray(content)) return [{ type: 'text', text: readText(message) }]
  return content.map((item, i) => readUserPart(fieldsOf(item, `${message.pathOf('content')}[${i}]`)))
}

function readUserPart(part: Fields): UserPart {
  const type = part.need('type', part.string('type'))
  if (type === 'text') return { type: 'text', text: part.need('text', part.string('text')) }
  if (type === 'image_url') {
    const image = part.need('image_url', part.object('image_url'))
    return readFile(image.need('url', image.string('url')), 'image/*', image.pathOf('url'))
  }
  if (type === 'input_audio') {
    const audio = part.need('input_audio', part.object('input_audio'))
    const format = audio.string('format') ?? 'wav'
    return { type: 'file', mediaType: `audio/${format}`, data: audio.need('data', audio.string('data')) }
  }
  if (type === 'file') {
    const file = part.need('file', part.object('file'))
    return readFile(file.need('file_data', file.string('file_data')), 'application/pdf', file.pathOf('file_data'))
  }
  throw badRequest(part.pathOf('type'), `is ${JSON.stringify(type)}; text, image_url, input_audio and file are known.`)
}

/** A file behind an address, or in one. */
export function readFile(address: string, mediaType: string, path: string): UserPart {
  const inline = /^data:([^;,]+)?(?:;[^,]*)?,/.exec(address)
  if (inline) return { type: 'file', mediaType: inline[1] ?? mediaType, data: address.slice(inline[0].length) }
  if (!URL.canParse(address)) throw badRequest(path, 'must be an http or data URL.')
  return { type: 'file', mediaType, data: new URL(address) }
}

function readAssistantContent(message: Fields, toolNames: Map<string, string>): AssistantPart[] {
  const parts: AssistantPart[] = []
  const reasoning = message.string('reasoning_content') ?? message.string('reasoning')
  if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
  const text = readText(message)
  if (text) parts.push({ type: 'text', text })
  message.list('tool_calls')?.forEach((item, i) => {
    const call = fieldsOf(item, `${message.pathOf('tool_calls')}[${i}]`)
    const fn = call.need('function', call.object('function'))
    parts.push(readCall(call.need('id', call.string('id')), fn, toolNames))
  })
  const old = message.object('function_call')
  if (old) parts.push(readCall(`call_${old.string('name') ?? ''}`, old, toolNames))
  return parts
}

function readCall(toolCallId: string, fn: Fields, toolNames: Map<string, string>): AssistantPart {
  const toolName = fn.need('name', fn.string('name'))
  toolNames.set(toolCallId, toolName)
  return { type: 'tool-call', toolCallId, toolName, input: parseInput(fn.string('arguments') ?? '{}') }
}

/** Arguments as a value; text that is no JSON stays text, for a model that must see what it wrote. */
export function parseInput(text: string): unknown {
  try {
    return text.trim() === '' ? {} : JSON.parse(text)
  } catch {
    return text
  }
}

function readResult(message: Fields, toolNames: Map<string, string>): ToolPart {
  const name = message.string('name')
  const toolCallId = message.string('tool_call_id') ?? (name === undefined ? undefined : `call_${name}`)
  const id = message.need('tool_call_id', toolCallId)
  return {
    type: 'tool-result',
    toolCallId: id,
    toolName: toolNames.get(id) ?? name ?? 'unknown',
    output: { type: 'text', value: readText(message) },
  }
}

/** The tools of a request, in today's form or that of old. */
export function readTools(body: Fields): Tools | undefined {
  const today = body.list('tools')?.map((item, i) => {
    const tool = fieldsOf(item, `tools[${i}]`)
    const type = tool.need('type', tool.string('type'))
    if (type !== 'function')
      throw badRequest(tool.pathOf('type'), `is ${JSON.stringify(type)}; only function is known.`)
    return readTool(tool.need('function', tool.object('function')))
  })
  const old = body.list('functions')?.map((item, i) => readTool(fieldsOf(item, `functions[${i}]`)))
  return today ?? old
}

export function readTool(tool: Fields, schemaKey = 'parameters'): Tools[number] {
  const name = tool.need('name', tool.string('name'))
  if (name === '') throw badRequest(tool.pathOf('name'), 'is empty.')
  const schema = tool.object(schemaKey)?.value ?? { type: 'object', properties: {} }
  const description = tool.string('description')
  const strict = tool.boolean('strict')
  return {
    type: 'function',
    name,
    inputSchema: schema,
    ...(description === undefined ? {} : { description }),
    ...(strict === undefined ? {} : { strict }),
  }
}

export function readToolChoice(body: Fields, tools: Tools | undefined): ToolChoice | undefined {
  const key = body.value.tool_choice === undefined ? 'function_call' : 'tool_choice'
  const choice = body.value[key]
  if (choice === undefined || choice === null) return undefined
  if (choice === 'none' || choice === 'auto' || choice === 'required') return { type: choice }
  if (!isRecord(choice)) throw badRequest(key, 'must be "none", "auto", "required" or an object that names a function.')
  const fields = fieldsOf(choice, key)
  const named = fields.object('function') ?? fields
  const toolName = named.need('name', named.string('name'))
  if (!tools?.some(tool => tool.name === toolName))
    throw badRequest(named.pathOf('name'), `is ${JSON.stringify(toolName)}, which is not among the tools.`)
  return { type: 'tool', toolName }
}

export function readResponseFormat(body: Fields): ModelParams['responseFormat'] {
  const format = body.object('response_format')
  const type = format?.string('type')
  if (!format || type === undefined || type === 'text') return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema')
    throw badRequest(format.pathOf('type'), `is ${JSON.stringify(type)}; text, json_object and json_schema are known.`)
  const named = format.need('json_schema', format.object('json_schema'))
  const name = named.string('name')
  const schema = named.object('schema')?.value
  return { type: 'json', ...(schema ? { schema } : {}), ...(name ? { name } : {}) }
}

/** The settings that have a name in the SDK. */
export function readSettings(body: Fields, maxTokensKeys: readonly string[]): Partial<ModelParams> {
  const maxOutputTokens = maxTokensKeys.map(key => body.number(key)).find(value => value !== undefined)
  const { stop } = body.value
  const stops = typeof stop === 'string' ? [stop] : body.list('stop')?.map(String)
  const settings = {
    maxOutputTokens,
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    presencePenalty: body.number('presence_penalty'),
    frequencyPenalty: body.number('frequency_penalty'),
    seed: body.number('seed'),
    stopSequences: stops,
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}
