import { z } from 'zod'

/**
 * A parameter, or the parameters of a function. The type names are those of Python and other
 * languages: dict, float, tuple, any.
 */
export const bfclSchema = z.looseObject({ type: z.unknown().optional() })
export type BfclSchema = z.infer<typeof bfclSchema>

export const bfclFunction = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z.looseObject({
    properties: z.record(z.string(), bfclSchema).optional(),
    required: z.array(z.string()).optional(),
  }),
})
export type BfclFunction = z.infer<typeof bfclFunction>

/**
 * One line of a question file. The outer list of `question` contains the turns, the inner one the
 * messages of a turn.
 */
export const bfclQuestion = z.object({
  id: z.string(),
  question: z
    .array(
      z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() })),
    )
    .min(1),
  function: z.union([z.array(bfclFunction), bfclFunction.transform(each => [each])]),
})
export type BfclQuestion = z.infer<typeof bfclQuestion>

/**
 * A correct call: the correct values of each parameter. The value "" means that the parameter may be
 * left out.
 */
export const bfclTruth = z.record(z.string(), z.record(z.string(), z.array(z.unknown())))
export type BfclTruth = z.infer<typeof bfclTruth>

export const bfclAnswer = z.object({ id: z.string(), ground_truth: z.array(bfclTruth) })

/** The rule that a category is checked by. */
export type BfclRule = 'calls' | 'no-call' | 'some-call'

export const bfclCategories: ReadonlyMap<string, BfclRule> = new Map<string, BfclRule>([
  ['simple', 'calls'],
  ['simple_python', 'calls'],
  ['multiple', 'calls'],
  ['parallel', 'calls'],
  ['parallel_multiple', 'calls'],
  ['live_simple', 'calls'],
  ['live_multiple', 'calls'],
  ['live_parallel', 'calls'],
  ['live_parallel_multiple', 'calls'],
  ['irrelevance', 'no-call'],
  ['live_irrelevance', 'no-call'],
  ['live_relevance', 'some-call'],
])
