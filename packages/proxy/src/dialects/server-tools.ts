import { badRequest } from '../http/http-error.js'
import type { ReadOptions } from './dialect.js'
import type { Fields } from './fields.js'
import type { Warnings } from './warnings.js'

export interface LeaveOutOptions {
  readonly options: ReadOptions
  readonly warnings: Warnings
}

/**
 * Leaves out a tool of a type that the proxy does not know: `web_search`, `mcp`,
 * `code_execution_20250825`. Only the server of its vendor could run it. Throws if the tool has a
 * schema: then its type is wrong. `expected`: the types of the API, for the message.
 */
export function leaveOutUnknownTool(
  tool: Fields,
  type: string,
  { expected, ...leaveOut }: LeaveOutOptions & { readonly expected: string },
): void {
  if (hasSchema(tool))
    throw badRequest(tool.pathOf('type'), `is ${JSON.stringify(type)}; expected ${expected}.`)
  leaveOutTool(tool, type, leaveOut)
}

/** Leaves out a tool that only a server can run. Throws if the configuration refuses such tools. */
export function leaveOutTool(
  tool: Fields,
  type: string,
  { options, warnings }: LeaveOutOptions,
): void {
  if (options.serverTools === 'refuse')
    throw badRequest(
      tool.pathOf('type'),
      `is ${JSON.stringify(type)}, which only the server of its vendor can run; leave the tool out, or set serverTools: drop in the proxy's configuration.`,
    )
  const { name } = tool.value
  warnings.leftOutTool(type, typeof name === 'string' ? name : undefined)
}

/** `{ type: "fuction", parameters: {} }`: a tool of a client, whose type is wrong. */
function hasSchema({ value }: Fields): boolean {
  // `{ type: "builtin_function", function: { name: "$web_search" } }` is of a server.
  if (value.type === 'builtin_function') return false
  return ['parameters', 'input_schema', 'function', 'custom'].some(
    key => value[key] !== undefined && value[key] !== null,
  )
}

/** Refuses a tool choice that asks for a tool that was left out. */
export function refuseChoice(choice: Fields, key: string, type: string): never {
  throw badRequest(
    choice.pathOf(key),
    `is ${JSON.stringify(type)}, a tool that only the server of its vendor can run; the proxy leaves it out.`,
  )
}

/** Refuses a choice that requires a call if all tools of the request were left out. */
export function refuseEmptyChoice(
  hasTools: boolean,
  isRequired: boolean,
  warnings: Warnings,
): void {
  if (hasTools || !isRequired || !warnings.hasTools()) return
  throw badRequest(
    'tool_choice',
    'requires a call, but the proxy has left out all tools: only the servers of their vendors can run them.',
  )
}
