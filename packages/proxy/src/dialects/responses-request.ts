import { clip } from '../http/clip.js'
import { badRequest } from '../http/http-error.js'
import type { ModelParams, Prompt } from '../model-types.js'
import type { Recalled } from '../store/recall.js'
import { carryFields } from './carried-fields.js'
import { type Fields, fieldsOf } from './fields.js'
import {
  createPrompt,
  outputOf,
  type PromptBuilder,
  parseInput,
  readContent,
  readFile,
  textOf,
  textPart,
  type UserPart,
} from './prompt.js'
import { type HistoryReader, readHistoryItem } from './responses-history.js'
import { jsonFormat } from './settings.js'
import { realNamespace, type ToolMap } from './tool-map.js'
import type { Warnings } from './warnings.js'

/**
 * Reads instructions and input as a prompt. The items of one turn become one message. `recalled`:
 * the items of the responses before, and the input without references.
 */
export function readInput(
  body: Fields,
  map: ToolMap,
  warnings: Warnings,
  recalled?: Recalled,
): Prompt {
  const prompt = createPrompt()
  const instructions = body.string('instructions')
  if (instructions) prompt.system(instructions)
  const instructionCount = prompt.messages.length
  const reader: HistoryReader = { prompt, map, warnings, readParts }
  recalled?.earlier.forEach((item, i) => {
    readItem(fieldsOf(item, `previous_response_id[${i}]`), reader)
  })
  const given = fieldsOf({ input: recalled ? recalled.input : body.value.input })
  const { input } = given.value
  if (typeof input === 'string') {
    prompt.user([textPart(input)])
    return prompt.messages
  }
  const items = given.need('input', given.list('input'))
  if (items.length === 0) throw badRequest('input', 'is empty.')
  items.forEach((item, i) => {
    readItem(fieldsOf(item, `input[${i}]`), reader)
  })
  // `[{ type: "compaction", encrypted_content }]`
  if (prompt.messages.length === instructionCount)
    throw badRequest(
      'input',
      `contains nothing that the model can read, only ${typesOf(items)}; send a message too.`,
    )
  return prompt.messages
}

/** The types of items, for a message. The client chooses their names and their number. */
function typesOf(items: readonly unknown[]): string {
  const types = new Set(items.map((item, i) => fieldsOf(item, `input[${i}]`).string('type')))
  return clip([...types].join(', '))
}

function readItem(item: Fields, reader: HistoryReader): void {
  const { prompt } = reader
  const type = item.string('type') ?? 'message'
  if (type === 'message') readMessage(item, prompt)
  else if (type === 'function_call') {
    const id = item.need('call_id', item.string('call_id'))
    const args = parseInput(item.string('arguments') ?? '')
    const name = item.need('name', item.string('name'))
    const namespace = realNamespace(item.string('namespace'))
    const shownName = reader.map.shownName({ kind: 'function', name, namespace })
    prompt.continueAssistant([prompt.call(id, shownName, args)])
  } else if (type === 'function_call_output') {
    const id = item.need('call_id', item.string('call_id'))
    item.need('output', item.value.output ?? undefined)
    prompt.result(id, outputOf(readParts(item, 'output')))
  } else if (type === 'reasoning') {
    const text = readReasoning(item)
    if (text) prompt.continueAssistant([{ type: 'reasoning', text }])
  } else if (type === 'item_reference') {
    throw badRequest(
      item.pathOf('type'),
      'is "item_reference", but the proxy stores nothing; send the item itself, as clients do with store: false.',
    )
  } else readHistoryItem(item, type, reader)
}

function readMessage(message: Fields, prompt: PromptBuilder): void {
  const role = message.need('role', message.string('role'))
  message.need('content', message.value.content ?? undefined)
  const parts = readParts(message, 'content')
  if (role === 'user') prompt.user(parts)
  else if (role === 'system' || role === 'developer') prompt.system(textOf(parts, '\n'))
  else if (role === 'assistant') {
    const text = textOf(parts)
    prompt.continueAssistant(text ? [textPart(text)] : [])
  } else
    throw badRequest(
      message.pathOf('role'),
      `is ${JSON.stringify(role)}; expected system, developer, user or assistant.`,
    )
}

function readParts(owner: Fields, key: string): UserPart[] {
  const parts = readContent<UserPart | undefined>(owner, key, { text: textPart, part: readPart })
  return parts.filter(part => part !== undefined)
}

function readPart(part: Fields): UserPart | undefined {
  const type = part.need('type', part.string('type'))
  switch (type) {
    // Only the vendor can read it.
    case 'encrypted_content':
      return undefined
    case 'input_text':
    case 'output_text':
    case 'text':
      return textPart(part.need('text', part.string('text')))
    case 'refusal':
      return textPart(part.need('refusal', part.string('refusal')))
    case 'input_image':
      return readImage(part)
    case 'input_file':
      return readInputFile(part)
    default:
      throw badRequest(
        part.pathOf('type'),
        `is ${JSON.stringify(type)}; expected input_text, output_text, refusal, input_image or input_file.`,
      )
  }
}

function readImage(part: Fields): UserPart {
  refuseFileId(part)
  const address = part.need('image_url', part.string('image_url'))
  const file = readFile(address, 'image/*', part.pathOf('image_url'))
  const detail = part.string('detail')
  // `original` keeps all of a large image. Chats have nothing above `high`.
  return { ...file, ...carryFields({ detail: detail === 'original' ? 'high' : detail }) }
}

function readInputFile(part: Fields): UserPart {
  refuseFileId(part)
  const key = part.string('file_url') === undefined ? 'file_data' : 'file_url'
  const filename = part.string('filename')
  return {
    ...readFile(part.need(key, part.string(key)), 'application/pdf', part.pathOf(key)),
    ...(filename === undefined ? {} : { filename }),
  }
}

function refuseFileId(part: Fields): void {
  if (part.string('file_id') !== undefined)
    throw badRequest(
      part.pathOf('file_id'),
      'cannot be used: the proxy stores no files; send the file itself.',
    )
}

/** Reads reasoning: the full text if the client has it, otherwise the summary. */
function readReasoning(item: Fields): string {
  const textsOf = (key: string) =>
    item
      .list(key)
      ?.map((part, i) => fieldsOf(part, `${item.pathOf(key)}[${i}]`).string('text') ?? '') ?? []
  return textsOf('content').join('') || textsOf('summary').join('\n\n')
}

export function readTextFormat(body: Fields): ModelParams['responseFormat'] {
  const format = body.object('text')?.object('format')
  const type = format?.string('type')
  if (!format || type === undefined || type === 'text') return undefined
  if (type === 'json_object') return { type: 'json' }
  if (type !== 'json_schema')
    throw badRequest(
      format.pathOf('type'),
      `is ${JSON.stringify(type)}; expected text, json_object or json_schema.`,
    )
  return jsonFormat(format)
}
