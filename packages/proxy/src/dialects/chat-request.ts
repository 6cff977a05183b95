import { badRequest } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import type { ModelParams, Prompt } from '../model-types.js'
import { carryFields, withName } from './carried-fields.js'
import { readCustomChatCall } from './chat-tools.js'
import { type Fields, fieldsOf } from './fields.js'
import {
  type AssistantPart,
  createPrompt,
  outputOf,
  type PromptBuilder,
  parseInput,
  readContent,
  readFile,
  textPart,
  type UserPart,
} from './prompt.js'
import { jsonFormat } from './settings.js'
import type { ToolMap } from './tool-map.js'

/**
 * Reads the messages of a chat as a prompt. A result gets the name of its tool from the call before
 * it.
 */
export function readMessages(list: readonly unknown[], map: ToolMap): Prompt {
  const prompt = createPrompt()
  list.forEach((item, i) => {
    const message = fieldsOf(item, `messages[${i}]`)
    const role = message.need('role', message.string('role'))
    const name = message.string('name')
    if (role === 'system' || role === 'developer') prompt.system(readText(message, '\n'), name)
    else if (role === 'user') prompt.user(readUserContent(message, name))
    else if (role === 'assistant')
      prompt.assistant(readAssistantContent(message, prompt, map), name)
    else if (role === 'tool' || role === 'function') readResult(message, prompt)
    else
      throw badRequest(
        message.pathOf('role'),
        `is ${JSON.stringify(role)}; expected system, user, assistant or tool.`,
      )
  })
  return prompt.messages
}

/** Reads the content of a message as one text. */
function readText(message: Fields, separator = ''): string {
  const part = (fields: Fields) => fields.string('text') ?? fields.string('refusal') ?? ''
  return readContent(message, 'content', { text: text => text, part }).join(separator)
}

function readUserContent(message: Fields, name: string | undefined): UserPart[] {
  message.need('content', message.value.content ?? undefined)
  const parts = readContent<UserPart>(message, 'content', { text: textPart, part: readUserPart })
  return parts.map(part => withName(part, name))
}

function readUserPart(part: Fields): UserPart {
  const type = part.need('type', part.string('type'))
  if (type === 'text') return textPart(part.need('text', part.string('text')))
  if (type === 'image_url') {
    const image = part.need('image_url', part.object('image_url'))
    const file = readFile(image.need('url', image.string('url')), 'image/*', image.pathOf('url'))
    return { ...file, ...carryFields({ detail: image.string('detail') }) }
  }
  if (type === 'input_audio') {
    const audio = part.need('input_audio', part.object('input_audio'))
    const format = audio.string('format') ?? 'wav'
    return {
      type: 'file',
      mediaType: `audio/${format}`,
      data: audio.need('data', audio.string('data')),
    }
  }
  if (type === 'file') {
    const file = part.need('file', part.object('file'))
    const data = file.need('file_data', file.string('file_data'))
    const filename = file.string('filename')
    return {
      ...readFile(data, 'application/pdf', file.pathOf('file_data')),
      ...(filename === undefined ? {} : { filename }),
    }
  }
  throw badRequest(
    part.pathOf('type'),
    `is ${JSON.stringify(type)}; expected text, image_url, input_audio or file.`,
  )
}

function readAssistantContent(
  message: Fields,
  prompt: PromptBuilder,
  map: ToolMap,
): AssistantPart[] {
  const parts: AssistantPart[] = []
  const reasoning = message.string('reasoning_content') ?? message.string('reasoning')
  if (reasoning) parts.push({ type: 'reasoning', text: reasoning })
  // `{ content: null, refusal: "I cannot help with that." }`
  const text = readText(message) || message.string('refusal')
  if (text) parts.push(textPart(text))
  const readCall = (id: string, fn: Fields) =>
    prompt.call(id, shownName(fn, map), parseInput(fn.string('arguments') ?? '{}'))
  message.list('tool_calls')?.forEach((item, i) => {
    const call = fieldsOf(item, `${message.pathOf('tool_calls')}[${i}]`)
    const id = call.need('id', call.string('id'))
    const custom = readCustomChatCall(call, map)
    parts.push(
      custom
        ? prompt.call(id, custom.name, custom.args)
        : readCall(id, call.need('function', call.object('function'))),
    )
  })
  const old = message.object('function_call')
  if (old) parts.push(readCall(`call_${old.string('name') ?? ''}`, old))
  return parts
}

/** The name that the model sees for a function of the client. */
function shownName(fn: Fields, map: ToolMap): string {
  return map.shownName({ kind: 'function', name: fn.need('name', fn.string('name')) })
}

function readResult(message: Fields, prompt: PromptBuilder): void {
  const name = message.string('name')
  const toolCallId =
    message.string('tool_call_id') ?? (name === undefined ? undefined : `call_${name}`)
  const id = message.need('tool_call_id', toolCallId)
  const parts = readContent<UserPart>(message, 'content', { text: textPart, part: readUserPart })
  prompt.result(id, outputOf(parts), name)
}

const plainRoles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant'])

/**
 * Returns true if no message has a call or a result. Such messages need no rewriting, so the server
 * gets them with all of their fields.
 */
export function arePlainMessages(list: readonly unknown[]): boolean {
  return list.every(
    message =>
      isRecord(message) &&
      plainRoles.has(message.role) &&
      (isContent(message.content) || (message.role === 'assistant' && message.content == null)) &&
      message.function_call == null &&
      (message.tool_calls == null || isEmptyList(message.tool_calls)),
  )
}

/** A text, or a list of parts of any type: a server may know types that are not known here. */
function isContent(content: unknown): boolean {
  if (typeof content === 'string') return true
  return Array.isArray(content) && content.every(part => isRecord(part) && isType(part.type))
}

function isType(type: unknown): boolean {
  return typeof type === 'string' && type !== ''
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

export function readResponseFormat(body: Fields): ModelParams['responseFormat'] {
  const format = body.object('response_format')
  const type = format?.string('type')
  if (!format || type === undefined || type === 'text') return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema')
    throw badRequest(
      format.pathOf('type'),
      `is ${JSON.stringify(type)}; expected text, json_object or json_schema.`,
    )
  return jsonFormat(format.need('json_schema', format.object('json_schema')))
}
