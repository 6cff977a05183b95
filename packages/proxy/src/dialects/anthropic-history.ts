import { isRecord } from '../is-record.js'
import type { Fields } from './fields.js'
import { type AssistantPart, outputOf, type PromptBuilder, textPart } from './prompt.js'
import type { ToolMap } from './tool-map.js'
import type { Warnings } from './warnings.js'

// Blocks of a conversation about tools that Anthropic's server ran. A call and its result are in one
// message of the assistant; the model sees them as those of any tool:
//
//     server_tool_use, web_search_tool_result, text     call, result, text

/** What a block is read with. */
export interface BlockReader {
  readonly prompt: PromptBuilder
  readonly map: ToolMap
  readonly warnings: Warnings
}

/** True for `web_search_tool_result`, `mcp_tool_result` and others, but not for `tool_result`. */
export function isServerResult(type: string): boolean {
  return type.endsWith('_tool_result')
}

export function readServerResult(block: Fields, { prompt }: BlockReader): void {
  const id = block.need('tool_use_id', block.string('tool_use_id'))
  const isError = block.boolean('is_error') ?? false
  prompt.result(id, outputOf([textPart(describe(block.value.content))], isError))
}

/** Reads any other block of the assistant. Undefined if it is left out. */
export function readServerBlock(
  block: Fields,
  type: string,
  { prompt, map, warnings }: BlockReader,
): AssistantPart | undefined {
  if (type === 'server_tool_use' || type === 'mcp_tool_use') {
    const id = block.need('id', block.string('id'))
    const name = block.need('name', block.string('name'))
    const namespace = block.string('server_name')
    const shownName = map.shownName({ kind: 'function', name, namespace })
    return prompt.call(id, shownName, block.value.input ?? {})
  }
  // The summary of earlier messages.
  const summary = type === 'compaction' ? block.string('content') : undefined
  if (summary) return textPart(summary)
  warnings.leftOutItem(type)
  return undefined
}

/** The text of a result: that of its text blocks, or its JSON. */
function describe(content: unknown): string {
  if (content === undefined || content === null) return ''
  if (typeof content === 'string') return content
  const texts = Array.isArray(content) ? content.map(textOfBlock) : [undefined]
  if (texts.every(text => text !== undefined)) return texts.join('\n')
  return JSON.stringify(content, (key, value: unknown) => (opaqueKeys.has(key) ? undefined : value))
}

/** Fields that only Anthropic can read. */
const opaqueKeys = new Set(['encrypted_content', 'encrypted_index', 'signature', 'cache_control'])

function textOfBlock(block: unknown): string | undefined {
  const isText = isRecord(block) && block.type === 'text' && typeof block.text === 'string'
  return isText ? String(block.text) : undefined
}
