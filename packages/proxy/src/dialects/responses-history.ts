import { isRecord } from '../is-record.js'
import { customArguments } from './custom-input.js'
import { type Fields, fieldsOf } from './fields.js'
import { outputOf, type PromptBuilder, parseInput, textPart, type UserPart } from './prompt.js'
import { namesOfTools } from './responses-tools.js'
import { type ClientToolKind, realNamespace, type ToolMap } from './tool-map.js'
import type { Warnings } from './warnings.js'

// The items of a conversation other than messages, reasoning and calls of functions. A call and its
// result, whoever ran it, are shown to the model as those of a tool. What only the vendor can read,
// such as `compaction`, is left out, and so is `web_search_call`, which has no result: the answer
// after it tells what was found.

/** What an item is read with. */
export interface HistoryReader {
  readonly prompt: PromptBuilder
  readonly map: ToolMap
  readonly warnings: Warnings
  /** Reads the parts of a result. */
  readonly readParts: (owner: Fields, key: string) => UserPart[]
}

type ReadItem = (item: Fields, reader: HistoryReader) => void

const itemReaders: Readonly<Record<string, ReadItem>> = {
  custom_tool_call: readCustomCall,
  custom_tool_call_output: readOutput,
  local_shell_call: (item, reader) => readActionCall(item, reader, 'local_shell', 'action'),
  local_shell_call_output: readOutput,
  shell_call: (item, reader) => readActionCall(item, reader, 'shell', 'action'),
  shell_call_output: readShellOutput,
  apply_patch_call: (item, reader) => readActionCall(item, reader, 'apply_patch', 'operation'),
  apply_patch_call_output: readPatchOutput,
  tool_search_call: readToolSearch,
  tool_search_output: readFoundTools,
  // Its tools were read with the others.
  additional_tools: () => {},
  mcp_call: readMcpCall,
  code_interpreter_call: readCodeCall,
  file_search_call: readFileSearch,
  agent_message: readAgentMessage,
}

/** Reads an item of any other type. It is left out if it is not known. */
export function readHistoryItem(item: Fields, type: string, reader: HistoryReader): void {
  const read = Object.hasOwn(itemReaders, type) ? itemReaders[type] : undefined
  if (read) read(item, reader)
  else reader.warnings.leftOutItem(type)
}

/** `local_shell_call_output` has the id of its call in `id`. */
function callIdOf(item: Fields): string {
  return item.need('call_id', item.string('call_id') ?? item.string('id'))
}

function addCall(
  { prompt }: HistoryReader,
  callId: string,
  shownName: string,
  input: unknown,
): void {
  prompt.continueAssistant([prompt.call(callId, shownName, input)])
}

function addText({ prompt }: HistoryReader, callId: string, text: string, isError = false): void {
  prompt.result(callId, outputOf([textPart(text)], isError))
}

function readCustomCall(item: Fields, reader: HistoryReader): void {
  const shownName = reader.map.shownName({
    kind: 'custom',
    name: item.need('name', item.string('name')),
    namespace: realNamespace(item.string('namespace')),
  })
  const input = item.need('input', item.string('input'))
  addCall(reader, callIdOf(item), shownName, customArguments(input))
}

function readOutput(item: Fields, { prompt, readParts }: HistoryReader): void {
  item.need('output', item.value.output ?? undefined)
  prompt.result(callIdOf(item), outputOf(readParts(item, 'output')))
}

/** `{ type: "shell_call", action: { commands } }`: the fields of the action are the arguments. */
function readActionCall(
  item: Fields,
  reader: HistoryReader,
  kind: ClientToolKind,
  key: string,
): void {
  const action = item.need(key, item.object(key)).value
  const args = Object.entries(action).filter(
    ([name, value]) => value !== null && !(kind === 'local_shell' && name === 'type'),
  )
  const shownName = reader.map.shownName({ kind, name: kind })
  addCall(reader, callIdOf(item), shownName, Object.fromEntries(args))
}

function readShellOutput(item: Fields, reader: HistoryReader): void {
  const outputs = item.need('output', item.list('output')).map((output, i) => {
    const fields = fieldsOf(output, `${item.pathOf('output')}[${i}]`)
    const outcome = fields.object('outcome')
    const code = outcome?.number('exit_code')
    const end = code === undefined ? outcome?.string('type') : `exit code ${code}`
    return [fields.string('stdout'), fields.string('stderr'), end].filter(Boolean).join('\n')
  })
  addText(reader, callIdOf(item), outputs.join('\n\n'))
}

function readPatchOutput(item: Fields, reader: HistoryReader): void {
  const status = item.string('status') ?? 'completed'
  addText(reader, callIdOf(item), item.string('output') ?? status, status === 'failed')
}

/** A search of the server has no `call_id`, and only its tools count. */
function readToolSearch(item: Fields, reader: HistoryReader): void {
  const callId = item.string('call_id')
  if (callId === undefined) return
  const shownName = reader.map.shownName({ kind: 'tool_search', name: 'tool_search' })
  addCall(reader, callId, shownName, item.value.arguments ?? {})
}

function readFoundTools(item: Fields, reader: HistoryReader): void {
  const callId = item.string('call_id')
  if (callId === undefined) return
  const names = namesOfTools(item, reader.map)
  const text = names.length
    ? `These tools can be called now: ${names.join(', ')}`
    : 'No tool found.'
  addText(reader, callId, text)
}

function readMcpCall(item: Fields, reader: HistoryReader): void {
  const callId = callIdOf(item)
  const name = item.need('name', item.string('name'))
  const namespace = realNamespace(item.string('server_label'))
  const args = parseInput(item.string('arguments') ?? '')
  addCall(reader, callId, reader.map.shownName({ kind: 'function', name, namespace }), args)
  const { error } = item.value
  const isError = error !== undefined && error !== null
  const message = typeof error === 'string' ? error : JSON.stringify(error)
  addText(reader, callId, isError ? message : (item.string('output') ?? ''), isError)
}

function readCodeCall(item: Fields, reader: HistoryReader): void {
  const callId = callIdOf(item)
  addCall(reader, callId, 'code_interpreter', { code: item.string('code') ?? '' })
  const logs = item.list('outputs')?.flatMap(output => {
    const isLog = isRecord(output) && typeof output.logs === 'string'
    return isLog ? [output.logs] : []
  })
  addText(reader, callId, logs?.join('\n') || 'No output.')
}

function readFileSearch(item: Fields, reader: HistoryReader): void {
  const results = item.list('results')
  if (!results) {
    reader.warnings.leftOutItem('file_search_call')
    return
  }
  const callId = callIdOf(item)
  addCall(reader, callId, 'file_search', { queries: item.value.queries ?? [] })
  const found = results.filter(isRecord).map(({ filename, text }) => ({ filename, text }))
  addText(reader, callId, JSON.stringify(found))
}

/** `{ type: "agent_message", author, content }`: what another agent of the client writes. */
function readAgentMessage(item: Fields, { prompt, warnings }: HistoryReader): void {
  const texts = item.list('content')?.flatMap(part => {
    const isText = isRecord(part) && typeof part.text === 'string'
    return isText ? [part.text] : []
  })
  if (!texts?.length) warnings.leftOutItem('agent_message')
  else
    prompt.user([
      textPart(`Message of ${item.string('author') ?? 'an agent'}:\n${texts.join('\n')}`),
    ])
}
