import { readArguments } from './answer-parts.js'
import { readCustomInput } from './custom-input.js'
import { callItem, type ItemStatus, type OpenCall } from './responses-items.js'
import type { ClientTool, ClientToolKind } from './tool-map.js'

// The items of OpenAI's Responses API for calls of the client's tools. Except for functions and
// custom tools, their input is an object with fields of its own, so they are written when it is
// complete.

type Arguments = Readonly<Record<string, unknown>>

const idPrefixes: Readonly<Record<ClientToolKind, string>> = {
  function: 'fc_',
  custom: 'ctc_',
  tool_search: 'tsc_',
  local_shell: 'lsh_',
  shell: 'sh_',
  apply_patch: 'apc_',
}

export function itemIdPrefix({ kind }: ClientTool): string {
  return idPrefixes[kind]
}

/** True for a tool whose input is sent while the model writes it. */
export function isStreamed({ kind }: ClientTool): boolean {
  return kind === 'function' || kind === 'custom'
}

/**
 * Returns the item of a call, from the JSON of its arguments. Undefined if they were cut off or
 * cannot be read, and the client would mistake the item for a call to run: only the item of a
 * function can say that it must not be run.
 */
export function clientItem(call: OpenCall, json: string, status: ItemStatus): unknown {
  const { tool, id, callId } = call
  if (tool.kind === 'function') return callItem(call, status === 'in_progress' ? '' : json, status)
  const base = { id, status, call_id: callId }
  if (tool.kind === 'custom') {
    const input = status === 'in_progress' ? '' : readCustomInput(json)
    if (input === undefined) return undefined
    const { name, namespace } = tool
    const place = namespace === undefined ? {} : { namespace }
    return { ...base, type: 'custom_tool_call', name, ...place, input }
  }
  const args = readArguments(json)
  const fields = args && ownFields(tool.kind, args)
  return fields && { ...base, ...fields }
}

/** True if a call has an item. False for arguments with which the client would run something else. */
export function hasItem({ kind }: ClientTool, json: string): boolean {
  if (kind === 'function') return true
  if (kind === 'custom') return readCustomInput(json) !== undefined
  const args = readArguments(json)
  return args !== undefined && ownFields(kind, args) !== undefined
}

/** The fields of an item of a tool that the API knows by its type. */
function ownFields(
  kind: Exclude<ClientToolKind, 'function' | 'custom'>,
  args: Arguments,
): Arguments | undefined {
  switch (kind) {
    case 'tool_search':
      return { type: 'tool_search_call', execution: 'client', arguments: args }
    case 'local_shell':
      return readLocalShell(args)
    case 'shell':
      return readShell(args)
    case 'apply_patch':
      return readPatch(args)
  }
}

function readLocalShell({ command, ...rest }: Arguments): Arguments | undefined {
  if (!isTextList(command)) return undefined
  return { type: 'local_shell_call', action: { type: 'exec', command, env: {}, ...rest } }
}

function readShell(args: Arguments): Arguments | undefined {
  const { commands, timeout_ms = null, max_output_length = null } = args
  if (!isTextList(commands)) return undefined
  const action = { commands, timeout_ms, max_output_length }
  return { type: 'shell_call', environment: { type: 'local' }, action }
}

function readPatch({ type, path, diff }: Arguments): Arguments | undefined {
  if (typeof path !== 'string') return undefined
  if (type === 'delete_file') return { type: 'apply_patch_call', operation: { type, path } }
  const isKnown = type === 'create_file' || type === 'update_file'
  if (!isKnown || typeof diff !== 'string') return undefined
  return { type: 'apply_patch_call', operation: { type, path, diff } }
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every(item => typeof item === 'string')
}
