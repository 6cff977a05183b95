import {
  didYouMean,
  type EngineProtocol,
  getProtocol,
  isEngineProtocol,
  protocolInfo,
  protocolNames,
} from '@toolglot/parser'
import type { OptionSpec } from './command.js'
import { UsageError } from './usage-error.js'

export const protocolOption: OptionSpec = {
  type: 'string',
  value: 'NAME',
  completes: 'protocol',
  about: 'the format of the calls: a name of "toolglot formats", or auto (default)',
}

export const toolsOption: OptionSpec = {
  type: 'string',
  value: 'FILE',
  completes: 'file',
  about:
    'the tools, as JSON: as OpenAI, Anthropic or MCP write them, or {name, description, inputSchema}',
}

export const jsonOption: OptionSpec = { type: 'boolean', about: 'print JSON' }

/** All names under which a protocol can be asked for. */
export function allProtocolNames(): string[] {
  return [
    'auto',
    ...protocolNames(),
    ...protocolNames().flatMap(name => protocolInfo(name)?.aliases ?? []),
  ]
}

export interface NamedProtocol {
  /** Its first name, also if it was asked for by another. */
  readonly name: string
  readonly protocol: EngineProtocol
}

export function readProtocol(given: string): NamedProtocol {
  const name = given === 'auto' ? 'auto' : protocolInfo(given)?.name
  const protocol = name === undefined ? undefined : getProtocol(name)
  if (name === undefined || !protocol || !isEngineProtocol(protocol)) {
    throw new UsageError(
      `There is no protocol named ${JSON.stringify(given)}.${didYouMean(given, allProtocolNames())} "toolglot formats" lists them.`,
    )
  }
  return { name, protocol }
}

/** Names separated by commas. */
export function readProtocols(given: string): NamedProtocol[] {
  const names = given.split(',').map(name => name.trim())
  return names.filter(name => name !== '').map(readProtocol)
}

const sampleCall = { toolCallId: '', toolName: 'zz', input: { zz: 'zz' } }

/**
 * True for a format that cannot be read without the names of the tools: it reads back its own call
 * only with them.
 */
export function needsTools({ name, protocol }: NamedProtocol): boolean {
  if (name === 'auto') return true
  const text = protocol.formatToolCall(sampleCall, {})
  return !protocol.parseGeneratedText({ text, tools: [] }).some(part => part.type === 'tool-call')
}

/** Refuses what could only give text. */
export function checkTools(command: string, named: NamedProtocol, tools: readonly unknown[]): void {
  if (tools.length > 0 || !needsTools(named)) return
  const why =
    named.name === 'auto'
      ? 'auto reads only calls of tools that it knows'
      : `${named.name} knows a call by the name of its tool`
  const way =
    named.name === 'auto'
      ? ' Or name the format with --protocol: "toolglot detect" tells which it is, and most are read without tools.'
      : ''
  throw new UsageError(`${command} needs --tools FILE here: ${why}.${way}`)
}
