import type { FunctionTool } from '@toolglot/parser'
import {
  looseJson,
  loosen,
  type ScriptedTurn,
  withoutEnd,
  writeCalls,
} from '../../../proxy/test/support/scripted-manners.js'
import type { Call, Task } from '../../src/live/task.js'
import { declareTools } from '../../src/live/tool-set.js'

/** How a scripted model behaves; they all know the right calls. */
export type Manner =
  | 'perfect'
  | 'sloppy'
  | 'unclosed'
  | 'chatty'
  | 'slow'
  | 'flaky'
  | 'wrong'
  | 'silent'

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

const known = new Map<Task, FunctionTool[]>()

/** To set a world up only for its tools takes time. */
export function toolsOf(task: Task): FunctionTool[] {
  const tools = known.get(task) ?? declareTools(task.open().tools)
  known.set(task, tools)
  return tools
}

/** What the model says after so many turns of its own. */
export function writeTurn(
  task: Task,
  turn: number,
  protocolName: string,
  manner: Manner,
): ScriptedTurn {
  const calls = (manner === 'silent' ? undefined : task.solution.steps[turn])?.map(call =>
    manner === 'wrong' ? spoil(call) : call,
  )
  if (!calls?.length)
    return { text: manner === 'silent' ? '' : task.solution.answer, toolCalls: [] }
  const before =
    manner === 'chatty' ? 'Of course! I use the tools for that, "as you said":\n\n' : ''
  const after = manner === 'chatty' ? '\n\nNow I wait for what comes back, e.g. {"ok": true}.' : ''
  if (protocolName === 'native') {
    const toolCalls = calls.map(({ name, args }) => ({
      name,
      arguments: writeArguments(args, manner),
    }))
    return { text: before, toolCalls }
  }
  const text = writeCalls(calls, protocolName, toolsOf(task))
  return { text: `${before}${damage(text, manner)}${after}`, toolCalls: [] }
}

/** Every model gets something else wrong; this one changes the first value that it can. */
function spoil({ name, args }: Call): Call {
  const [first] = Object.entries(args)
  if (!first) return { name: `${name}s`, args }
  const [key, value] = first
  return {
    name,
    args: { ...args, [key]: typeof value === 'number' ? value + 1 : 'something <else> & "wrong"' },
  }
}

function writeArguments(args: unknown, manner: Manner): string {
  return manner === 'sloppy' ? looseJson(args) : JSON.stringify(args)
}

function damage(text: string, manner: Manner): string {
  if (manner === 'unclosed') return withoutEnd(text)
  if (manner !== 'sloppy') return text
  return /^(?:<call>\w+ \w+=|@\w)/.test(text) ? otherQuotes(text) : loosen(text)
}

/**
 * Calls of pairs: single quotes instead of double ones, and quotes where none are needed. In quotes
 * null would be a text.
 */
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
