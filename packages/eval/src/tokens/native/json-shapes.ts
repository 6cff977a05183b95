import type { FunctionTool } from '@toolglot/parser'
import { isRecord } from '../../is-record.js'
import type { Call } from '../catalogue/case.js'
import type { Baseline } from './baseline.js'
import { createCallId } from './call-id.js'

/**
 * The shapes of calls in APIs, as compact JSON. Several calls of a message are joined by a comma. The
 * list around them and the message are not counted, in favour of the native side. `JSON.stringify`
 * leaves out an id that is `undefined`.
 */

/** `{"type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}`, or with `"id":"call_…"` first. */
export const openaiJson: Baseline = {
  name: 'openai_json',
  title: 'OpenAI API JSON',
  writeDefinitions: tools => [JSON.stringify(tools.map(writeOpenaiDefinition))],
  createId: seed => createCallId('call_', 24, seed),
  writeCalls: (calls, idOf) => [
    joinJson(calls, ({ toolName, args }, i) => ({
      id: idOf?.(i),
      type: 'function',
      function: { name: toolName, arguments: JSON.stringify(args) },
    })),
  ],
}

/** `{"type":"tool_use","name":"f","input":{"a":1}}`, or with `"id":"toolu_…"` before the name. */
export const anthropicJson: Baseline = {
  name: 'anthropic_json',
  title: 'Anthropic API JSON',
  writeDefinitions: tools => [
    JSON.stringify(
      tools.map(({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
      })),
    ),
  ],
  createId: seed => createCallId('toolu_01', 22, seed),
  writeCalls: (calls, idOf) => [
    joinJson(calls, ({ toolName, args }, i) => ({
      type: 'tool_use',
      id: idOf?.(i),
      name: toolName,
      input: args,
    })),
  ],
}

/**
 * `f{"a":1}`: only a name and JSON. Calls and definitions have one line each.
 */
export const bareJson: Baseline = {
  name: 'bare_json',
  title: 'bare JSON',
  writeDefinitions: tools => [tools.map(bareDefinition).join('\n')],
  writeCalls: calls => [
    calls.map(({ toolName, args }) => `${toolName}${JSON.stringify(args)}`).join('\n'),
  ],
}

/** `{"type":"function","function":{"name":"f","description":"…","parameters":{…}}}` */
export function writeOpenaiDefinition({ name, description, inputSchema }: FunctionTool) {
  return { type: 'function', function: { name, description, parameters: inputSchema } }
}

/** Leaves out that the arguments are an object, and that no others are allowed. */
function bareDefinition({ name, description, inputSchema }: FunctionTool): string {
  const schema = Object.entries(isRecord(inputSchema) ? inputSchema : {}).filter(([key, value]) => {
    if (key === 'properties') return !isRecord(value) || Object.keys(value).length > 0
    return (
      key !== 'type' && key !== '$schema' && !(key === 'additionalProperties' && value === false)
    )
  })
  return `${name}${JSON.stringify(Object.fromEntries(schema))}${description === undefined ? '' : ` ${description}`}`
}

function joinJson(calls: readonly Call[], shape: (call: Call, i: number) => unknown): string {
  return calls.map((call, i) => JSON.stringify(shape(call, i))).join(',')
}
