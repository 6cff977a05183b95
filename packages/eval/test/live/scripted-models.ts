import { type FunctionTool, getProtocol, type ToolCallProtocol } from '@toolglot/parser'
import type { Call, Task } from '../../src/live/task.js'
import { declareTools } from '../../src/live/tool-set.js'

/** How a scripted model behaves; they all know the right calls. */
export type Manner = 'perfect' | 'sloppy' | 'unclosed' | 'chatty' | 'slow' | 'flaky' | 'wrong' | 'silent'

export const manners: readonly Manner[] = [
  'perfect',
  'sloppy',
  'unclosed',
  'chatty',
  'slow',
  'flaky',
  'wrong',
  'silent',
]

export interface ScriptedTurn {
  readonly text: string
  readonly toolCalls: readonly { readonly name: string; readonly arguments: string }[]
}

const known = new Map<Task, FunctionTool[]>()

/** To set a world up only for its tools takes time. */
export function toolsOf(task: Task): FunctionTool[] {
  const tools = known.get(task) ?? declareTools(task.open().tools)
  known.set(task, tools)
  return tools
}

/** What the model says after so many turns of its own. */
export function writeTurn(task: Task, turn: number, protocolName: string, manner: Manner): ScriptedTurn {
  const calls = (manner === 'silent' ? undefined : task.solution.steps[turn])?.map(call =>
    manner === 'wrong' ? spoil(call) : call,
  )
  if (!calls?.length) return { text: manner === 'silent' ? '' : task.solution.answer, toolCalls: [] }
  const before = manner === 'chatty' ? 'Of course! I use the tools for that, "as you said":\n\n' : ''
  const after = manner === 'chatty' ? '\n\nNow I wait for what comes back, e.g. {"ok": true}.' : ''
  if (protocolName === 'native') {
    const toolCalls = calls.map(({ name, args }) => ({ name, arguments: writeArguments(args, manner) }))
    return { text: before, toolCalls }
  }
  const text = writeCalls(calls, getProtocol(protocolName), task)
  return { text: `${before}${damage(text, manner)}${after}`, toolCalls: [] }
}

function writeCalls(calls: readonly Call[], protocol: ToolCallProtocol, task: Task): string {
  const tools = toolsOf(task)
  const toolCalls = calls.map(({ name, args }, i) => ({ toolCallId: `c${i}`, toolName: name, input: args }))
  return (
    protocol.formatToolCalls?.(toolCalls, { tools }) ??
    toolCalls.map(call => protocol.formatToolCall(call, { tools })).join('\n')
  )
}

/** Every model gets something else wrong; this one changes the first value that it can. */
function spoil({ name, args }: Call): Call {
  const [first] = Object.entries(args)
  if (!first) return { name: `${name}s`, args }
  const [key, value] = first
  return { name, args: { ...args, [key]: typeof value === 'number' ? value + 1 : 'something <else> & "wrong"' } }
}

function writeArguments(args: unknown, manner: Manner): string {
  return manner === 'sloppy' ? looseJson(args) : JSON.stringify(args)
}

function damage(text: string, manner: Manner): string {
  if (manner === 'unclosed') return text.replace(/\s*(?:<\/[^<>]+>|```|\nEND)\s*$/, '')
  if (manner !== 'sloppy') return text
  if (/^(?:<call>\w+ \w+=|@\w)/.test(text)) return otherQuotes(text)
  // Each line that is a JSON object is written as somebody would who does not know JSON too well.
  return text
    .split('\n')
    .map(line => {
      const start = line.indexOf('{')
      // Behind a quote it is a piece of a text, which is not the model's to change.
      const value = start < 0 || line.slice(0, start).includes('"') ? undefined : parse(line.slice(start))
      return value === undefined ? line : line.slice(0, start) + looseJson(value)
    })
    .join('\n')
}

/** Calls of pairs: single quotes instead of double ones, and quotes where none are needed. In quotes null would be a text. */
function otherQuotes(text: string): string {
  return text
    .split('\n')
    .map(line => {
      if (!/^(?:<call>|@)/.test(line)) return line
      return line
        .replace(/(?<= \w+=)"([^"'\\]*)"(?=[ <]|$)/g, "'$1'")
        .replace(/(?<= \w+=)(?!null\b)([\w./@-]+)(?= \w+=|<|$)/g, '"$1"')
    })
    .join('\n')
}

/** Single quotes, bare keys, a comma too many. */
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
  return JSON.stringify(value)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
