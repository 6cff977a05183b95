import { z } from 'zod'
import { ablationNames } from './ablations.js'
import { keyOfRow, type RowKey } from './rows.js'
import { taskKinds } from './task.js'

const answer = z.object({
  text: z.string(),
  reasoning: z.string().optional(),
  toolCalls: z.array(z.object({ name: z.string(), arguments: z.string() })).readonly(),
  finishReason: z.string().optional(),
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  error: z.string().optional(),
  body: z.string().optional(),
})

const exchange = z.object({
  requestBytes: z.number(),
  tries: z.number(),
  status: z.number().optional(),
  latencyMs: z.number(),
  brokeOff: z.string().optional(),
  answer,
})

const call = z.object({
  step: z.number(),
  name: z.string(),
  args: z.unknown(),
  /** Why the SDK rejected the call. */
  invalid: z.string().optional(),
  /** The error that the tool threw. */
  failure: z.string().optional(),
})

const judgement = z.object({
  verdict: z.enum(['right', 'wrong', 'unclear', 'failed']),
  text: z.string(),
})

/** One line of results.jsonl. */
export const runRecord = z.object({
  type: z.literal('run'),
  task: z.string(),
  kind: z.enum(taskKinds),
  category: z.string(),
  model: z.string(),
  baseUrl: z.string(),
  protocol: z.string(),
  /** The change to the protocol, if any. */
  ablation: z.enum(ablationNames).optional(),
  rep: z.number(),
  /** A hash of what the model got. A run is repeated if its task has changed since. */
  fingerprint: z.string(),
  /** `infrastructure`: the run could not be made; this is not a result of the model. */
  outcome: z.enum(['pass', 'fail', 'infrastructure']),
  reasons: z.array(z.string()),
  startedAt: z.string(),
  /** Time of the endpoint for all steps, without the waits before retries. */
  latencyMs: z.number(),
  steps: z.number(),
  /** Absent if the endpoint did not report them for every step. */
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  calls: z.array(call),
  /** Problems that the parser reported. */
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
  text: z.string(),
  exchanges: z.array(exchange),
  judge: judgement.optional(),
})

export type RunRecord = z.infer<typeof runRecord>
export type Judgement = z.infer<typeof judgement>
export type CallRecord = z.infer<typeof call>

/** Returns a key that identifies a run. */
export function keyOf(run: RowKey & Pick<RunRecord, 'task' | 'rep'>): string {
  return JSON.stringify([keyOfRow(run), run.task, run.rep])
}
