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
  /** Why the SDK refused it, if it did. */
  invalid: z.string().optional(),
  /** What the tool has thrown, if it did. */
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
  /** What was changed about the protocol, if anything. */
  ablation: z.enum(ablationNames).optional(),
  rep: z.number(),
  /** What the model was shown; a run of a task that has changed since is made again. */
  fingerprint: z.string(),
  /** `infrastructure`: the run could not be made, which says nothing about the model. */
  outcome: z.enum(['pass', 'fail', 'infrastructure']),
  reasons: z.array(z.string()),
  startedAt: z.string(),
  /** How long the endpoint took for all steps; waiting before another try is not counted. */
  latencyMs: z.number(),
  steps: z.number(),
  /** Absent if the endpoint did not report them for every step. */
  inputTokens: z.number().optional(),
  outputTokens: z.number().optional(),
  calls: z.array(call),
  /** What the parser had to say about the calls. */
  problems: z.array(z.object({ code: z.string(), message: z.string() })),
  text: z.string(),
  exchanges: z.array(exchange),
  judge: judgement.optional(),
})

export type RunRecord = z.infer<typeof runRecord>
export type Judgement = z.infer<typeof judgement>
export type CallRecord = z.infer<typeof call>

/** What tells one run from another. */
export function keyOf(run: RowKey & Pick<RunRecord, 'task' | 'rep'>): string {
  return JSON.stringify([keyOfRow(run), run.task, run.rep])
}
