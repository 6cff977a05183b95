import {
  didYouMean,
  type EngineProtocol,
  getProtocol,
  getProtocolInfo,
  listProtocols,
} from '@toolglot/parser'
import { isEngineProtocol } from '@toolglot/parser/protocol'
import type { OptionSpec } from './command.js'
import { UsageError } from './usage-error.js'

export const protocolOption: OptionSpec = {
  type: 'string',
  value: 'NAME',
  completes: 'protocol',
  about: 'the format of the calls: a name from "toolglot formats", or auto (default)',
}

export const toolsOption: OptionSpec = {
  type: 'string',
  value: 'FILE',
  completes: 'file',
  about:
    'the tools as JSON: in the form of OpenAI, Anthropic or MCP, or {name, description, inputSchema}',
}

export const jsonOption: OptionSpec = { type: 'boolean', about: 'print JSON' }

/** Returns all names of protocols, with their aliases. */
export function allProtocolNames(): string[] {
  return [
    'auto',
    ...listProtocols(),
    ...listProtocols().flatMap(name => getProtocolInfo(name)?.aliases ?? []),
  ]
}

export interface NamedProtocol {
  /** The protocol's own name, even if the user wrote an alias. */
  readonly name: string
  readonly protocol: EngineProtocol
}

export function readProtocol(given: string): NamedProtocol {
  const name = given === 'auto' ? 'auto' : getProtocolInfo(given)?.name
  const protocol = name === undefined ? undefined : getProtocol(name)
  if (name === undefined || !protocol || !isEngineProtocol(protocol)) {
    throw new UsageError(
      `Unknown protocol ${JSON.stringify(given)}.${didYouMean(given, allProtocolNames())} "toolglot formats" lists them.`,
    )
  }
  return { name, protocol }
}

/** Reads names separated by commas. */
export function readProtocols(given: string): NamedProtocol[] {
  const names = given.split(',').map(name => name.trim())
  return names.filter(name => name !== '').map(readProtocol)
}

const sampleCall = { toolCallId: '', toolName: 'zz', input: { zz: 'zz' } }

/**
 * Returns true for a format that can be read only with the names of the tools. To find out, its own
 * call is read without tools.
 */
export function needsTools({ name, protocol }: NamedProtocol): boolean {
  if (name === 'auto') return true
  const text = protocol.formatToolCall(sampleCall, {})
  return !protocol.parseGeneratedText({ text, tools: [] }).some(part => part.type === 'tool-call')
}

/** Throws if the format needs tools and there are none: no call would be found. */
export function checkTools(command: string, named: NamedProtocol, tools: readonly unknown[]): void {
  if (tools.length > 0 || !needsTools(named)) return
  const why =
    named.name === 'auto'
      ? 'auto finds only calls of declared tools'
      : `${named.name} recognizes a call by the name of its tool`
  const way =
    named.name === 'auto'
      ? ' Or name the format with --protocol: "toolglot detect" finds it, and most formats need no tools.'
      : ''
  throw new UsageError(`${command} needs --tools FILE here: ${why}.${way}`)
}
