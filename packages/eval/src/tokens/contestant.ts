import { type FunctionTool, getProtocol } from '@toolglot/parser'
import { benchProtocols } from '../bench-protocols.js'
import type { Case } from './catalogue/case.js'
import { readManual } from './manual.js'
import type { Baseline } from './native/baseline.js'
import { baselines } from './native/baselines.js'
import { findLoss } from './round-trip.js'
import type { Segment } from './tokenizer.js'

/** A way of writing calls, with one set of tools. */
export interface Contestant {
  readonly name: string
  /** The name in tables. */
  readonly title: string
  readonly isNative: boolean
  /** The text that the tools add to the input of every request. */
  readonly manual: Manual
  /** The text that the model writes for a case. */
  write(each: Case): readonly Segment[]
  /** The same text with an id in each call, as the API sends it. Absent if calls have no ids. */
  writeWithIds?(each: Case): readonly Segment[]
  /** Returns how the calls of a case change when they are read back; undefined if they do not. */
  findLoss(each: Case): Promise<string | undefined>
}

/** The input of a request with the tools, and the same request without them. */
export interface Manual {
  readonly withTools: readonly Segment[]
  readonly withoutTools: readonly Segment[]
}

/** Creates all native baselines, then the protocols. */
export async function createContestants(
  tools: readonly FunctionTool[],
  names: readonly string[] = benchProtocols(),
  natives: readonly Baseline[] = baselines,
): Promise<Contestant[]> {
  const protocols = await Promise.all(names.map(name => createProtocolContestant(name, tools)))
  return [...natives.map(baseline => createNativeContestant(baseline, tools)), ...protocols]
}

async function createProtocolContestant(
  name: string,
  tools: readonly FunctionTool[],
): Promise<Contestant> {
  const protocol = getProtocol(name)
  const format = ({ calls }: Case) => {
    const toolCalls = calls.map(({ toolName, args }, i) => ({
      toolCallId: `call-${i}`,
      toolName,
      input: args,
    }))
    return (
      protocol.formatToolCalls?.(toolCalls, { tools }) ??
      toolCalls.map(call => protocol.formatToolCall(call, { tools })).join('\n')
    )
  }
  return {
    name,
    title: name,
    isNative: false,
    manual: await readManual(name, tools),
    write: each => [format(each)],
    findLoss: async each =>
      findLoss({ protocol: name, tools, text: format(each), calls: each.calls }),
  }
}

function createNativeContestant(baseline: Baseline, tools: readonly FunctionTool[]): Contestant {
  const { createId } = baseline
  return {
    name: baseline.name,
    title: baseline.title,
    isNative: true,
    manual: { withTools: baseline.writeDefinitions(tools), withoutTools: [] },
    write: each => baseline.writeCalls(each.calls),
    ...(createId && {
      writeWithIds: each => baseline.writeCalls(each.calls, i => createId(`${each.name} ${i}`)),
    }),
    // We do not parse native shapes, so nothing can be lost.
    findLoss: async () => undefined,
  }
}
