import { type FunctionTool, getProtocol, getProtocolInfo } from '@toolglot/parser'

export interface ScriptedCall {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a scripted model wants to do in a turn; its manner says how that is written. */
export interface ScriptedStep {
  readonly calls?: readonly ScriptedCall[]
  readonly text?: string
}

/** What a model sends in a turn. */
export interface ScriptedTurn {
  readonly reasoning?: string
  readonly text: string
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
}

/** How a scripted model behaves. */
export const manners = [
  /** Calls as the protocol has them. */
  'perfect',
  /** Prose around the calls, loose JSON in them. */
  'sloppy',
  /** The last call lacks its end. */
  'unclosed',
  /** `tool_calls` of the server, where it is given tools. */
  'native',
  /** A call of the server's, and the same again as text. */
  'mixed',
  /** The first call as the server's, the others as text. */
  'mixed_other',
  /** Reasoning in the text first. */
  'thinking',
  /** Reasoning in a separate field first. */
  'reasoning',
  /** Never calls anything. */
  'plain',
] as const
export type Manner = (typeof manners)[number]

const THOUGHT =
  'The user wants to know something. I must call a tool, such as {"name": "x"}, for that.'

/**
 * The manner and the protocol of a model id such as `sloppy-hermes`; without a protocol it is
 * hermes.
 */
export function readModelId(id: string): { readonly manner: Manner; readonly protocol: string } {
  const [first = '', ...rest] = id.split('-')
  const manner = manners.find(each => each === first)
  const protocol = getProtocolInfo(rest.join('-'))?.name ?? 'hermes'
  return { manner: manner ?? 'plain', protocol }
}

export function writeTurn(
  { calls = [], text = '' }: ScriptedStep,
  { manner, protocol }: { readonly manner: Manner; readonly protocol: string },
  {
    hasTools,
    tools = [],
  }: { readonly hasTools: boolean; readonly tools?: readonly FunctionTool[] | undefined },
): ScriptedTurn {
  if (manner === 'plain' || calls.length === 0) {
    const answer = text || 'I cannot say.'
    if (manner === 'thinking')
      return { text: `<think>\n${THOUGHT}\n</think>\n\n${answer}`, toolCalls: [] }
    return {
      ...(manner === 'reasoning' ? { reasoning: THOUGHT } : {}),
      text: answer,
      toolCalls: [],
    }
  }
  const write = (some: readonly ScriptedCall[]) =>
    some.length ? writeCalls(some, protocol, tools) : ''
  const native = calls.map(({ name, args }) => ({ name, arguments: JSON.stringify(args) }))
  const written = write(calls)
  switch (manner) {
    case 'perfect':
      return { text: text + written, toolCalls: [] }
    case 'sloppy':
      return {
        text: `Sure, I "look that up":\n\n${loosen(written)}\n\nNow I wait for it.`,
        toolCalls: [],
      }
    case 'unclosed':
      return { text: text + withoutEnd(written), toolCalls: [] }
    case 'thinking':
      return { text: `<think>\n${THOUGHT}\n</think>\n\n${text}${written}`, toolCalls: [] }
    case 'reasoning':
      return { reasoning: THOUGHT, text: text + written, toolCalls: [] }
    case 'native':
      return hasTools ? { text, toolCalls: native } : { text: text + written, toolCalls: [] }
    case 'mixed':
      return { text: text + written, toolCalls: hasTools ? native : [] }
    case 'mixed_other':
      return hasTools
        ? { text: text + write(calls.slice(1)), toolCalls: native.slice(0, 1) }
        : { text: text + written, toolCalls: [] }
  }
}

/** Calls as a model writes them that was trained on the protocol. */
export function writeCalls(
  calls: readonly ScriptedCall[],
  protocolName: string,
  tools: readonly FunctionTool[] = [],
): string {
  const protocol = getProtocol(protocolName)
  const toolCalls = calls.map(({ name, args }, i) => ({
    toolCallId: `c${i}`,
    toolName: name,
    input: args,
  }))
  return (
    protocol.formatToolCalls?.(toolCalls, { tools }) ??
    toolCalls.map(call => protocol.formatToolCall(call, { tools })).join('\n')
  )
}

/** Calls whose last one lacks its end. */
export function withoutEnd(text: string): string {
  const cut = text.replace(/\s*(?:<\/[^<>]+>|<[^<>/]*end[^<>]*>|```|\nEND)\s*$/, '')
  return cut === text ? text.trimEnd().slice(0, -1) : cut
}

/** Lines with a JSON value, with the mistakes of models. */
export function loosen(text: string): string {
  return text
    .split('\n')
    .map(line => {
      const start = line.search(/[{[]/)
      // After a quote it is part of a string, which must not change.
      const value =
        start < 0 || line.slice(0, start).includes('"') ? undefined : tryParse(line.slice(start))
      return value === undefined ? line : line.slice(0, start) + looseJson(value)
    })
    .join('\n')
}

/** Single quotes, bare keys, a comma too many, constants as Python has them. */
export function looseJson(value: unknown): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
  }
  if (Array.isArray(value)) return `[${value.map(looseJson).join(', ')}${value.length ? ',' : ''}]`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, each]) => `${/^\w+$/.test(key) ? key : looseJson(key)}: ${looseJson(each)}`)
      .join(', ')}}`
  }
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : JSON.stringify(value)
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
