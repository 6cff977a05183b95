import { badRequest } from '../http/http-error.js'
import { isRecord } from '../is-record.js'
import type { ModelParams, Prompt, Tools } from '../model-types.js'
import type { Recalled } from '../store/recall.js'
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
import { jsonFormat } from './settings.js'
import { readTool, readToolName, type ToolChoice } from './tools.js'

/**
 * Reads instructions and input as a prompt. The items of one turn become one message. `recalled`:
 * the items of the responses before, and the input without references.
 */
export function readInput(body: Fields, recalled?: Recalled): Prompt {
  const prompt = createPrompt()
  const instructions = body.string('instructions')
  if (instructions) prompt.system(instructions)
  recalled?.earlier.forEach((item, i) => {
    readItem(fieldsOf(item, `previous_response_id[${i}]`), prompt)
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
    readItem(fieldsOf(item, `input[${i}]`), prompt)
  })
  return prompt.messages
}

function readItem(item: Fields, prompt: PromptBuilder): void {
  const type = item.string('type') ?? 'message'
  if (type === 'message') readMessage(item, prompt)
  else if (type === 'function_call') {
    const id = item.need('call_id', item.string('call_id'))
    const args = parseInput(item.string('arguments') ?? '')
    prompt.continueAssistant([prompt.call(id, item.need('name', item.string('name')), args)])
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
  } else {
    throw badRequest(
      item.pathOf('type'),
      `is ${JSON.stringify(type)}; expected message, function_call, function_call_output or reasoning.`,
    )
  }
}

function readMessage(message: Fields, prompt: PromptBuilder): void {
  const role = message.need('role', message.string('role'))
  message.need('content', message.value.content ?? undefined)
  const parts = readParts(message, 'content')
  const text = textOf(parts)
  if (role === 'user') prompt.user(parts)
  else if (role === 'system' || role === 'developer') prompt.system(text)
  else if (role === 'assistant') prompt.continueAssistant(text ? [textPart(text)] : [])
  else
    throw badRequest(
      message.pathOf('role'),
      `is ${JSON.stringify(role)}; expected system, developer, user or assistant.`,
    )
}

function readParts(owner: Fields, key: string): UserPart[] {
  return readContent<UserPart>(owner, key, { text: textPart, part: readPart })
}

function readPart(part: Fields): UserPart {
  const type = part.need('type', part.string('type'))
  switch (type) {
    case 'input_text':
    case 'output_text':
    case 'text':
      return textPart(part.need('text', part.string('text')))
    case 'refusal':
      return textPart(part.need('refusal', part.string('refusal')))
    case 'input_image':
      refuseFileId(part)
      return readFile(
        part.need('image_url', part.string('image_url')),
        'image/*',
        part.pathOf('image_url'),
      )
    case 'input_file': {
      refuseFileId(part)
      const key = part.string('file_url') === undefined ? 'file_data' : 'file_url'
      return readFile(part.need(key, part.string(key)), 'application/pdf', part.pathOf(key))
    }
    default:
      throw badRequest(
        part.pathOf('type'),
        `is ${JSON.stringify(type)}; expected input_text, output_text, refusal, input_image or input_file.`,
      )
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

export function readFlatTools(body: Fields): Tools | undefined {
  return body.list('tools')?.map((item, i) => {
    const tool = fieldsOf(item, `tools[${i}]`)
    const type = tool.need('type', tool.string('type'))
    if (type !== 'function')
      throw badRequest(
        tool.pathOf('type'),
        `is ${JSON.stringify(type)}, which the proxy cannot run; expected function.`,
      )
    return readTool(tool)
  })
}

/** Reads the tool choice. `allowed_tools` also reduces the list of tools. */
export function readFlatToolChoice(
  body: Fields,
  tools: Tools | undefined,
): { readonly toolChoice?: ToolChoice; readonly tools: Tools | undefined } {
  const choice = body.value.tool_choice
  if (choice === undefined || choice === null) return { tools }
  if (choice === 'none' || choice === 'auto' || choice === 'required')
    return { toolChoice: { type: choice }, tools }
  if (!isRecord(choice))
    throw badRequest(
      'tool_choice',
      'must be "none", "auto", "required" or an object that names a function.',
    )
  const fields = fieldsOf(choice, 'tool_choice')
  const type = fields.need('type', fields.string('type'))
  if (type === 'function')
    return { toolChoice: { type: 'tool', toolName: readToolName(fields, tools) }, tools }
  if (type !== 'allowed_tools')
    throw badRequest(
      'tool_choice.type',
      `is ${JSON.stringify(type)}; expected function or allowed_tools.`,
    )
  const allowed = fields
    .need('tools', fields.list('tools'))
    .map((item, i) => readToolName(fieldsOf(item, `tool_choice.tools[${i}]`), tools))
  const left = tools?.filter(tool => allowed.includes(tool.name))
  return {
    toolChoice: { type: fields.string('mode') === 'required' ? 'required' : 'auto' },
    tools: left,
  }
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
