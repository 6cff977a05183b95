import type { Tolerance } from '@toolglot/parser'
import type { OptionSpec } from '../command.js'
import { UsageError } from '../usage-error.js'

/** Options of the commands that read a model's text. */
export const readingOptions = {
  reasoning: { type: 'boolean', about: 'emit <think> blocks as reasoning, not as text' },
  'start-with-reasoning': {
    type: 'boolean',
    about: 'the text starts with reasoning, because the prompt ends with <think>',
  },
  cut: {
    type: 'boolean',
    about: 'a token limit cut the text off: do not complete a call that has no end',
  },
  tolerance: {
    type: 'string',
    value: 'NAME',
    about:
      'exact: a call with any repair is invalid; safe (the default): one that may mean something else is; eager: all that can be read is a call',
  },
  strict: { type: 'boolean', about: 'exit with 1 if a call has a problem' },
} as const satisfies Readonly<Record<string, OptionSpec>>

const tolerances: readonly Tolerance[] = ['exact', 'safe', 'eager']

export function readingOptionsOf(
  flag: (name: 'reasoning' | 'start-with-reasoning') => boolean,
  text: (name: 'tolerance') => string | undefined,
) {
  const startWithReasoning = flag('start-with-reasoning')
  const written = text('tolerance')
  const tolerance = tolerances.find(each => each === written)
  if (written !== undefined && tolerance === undefined) {
    throw new UsageError(
      `--tolerance is ${JSON.stringify(written)}; it must be ${tolerances.join(', ')}.`,
    )
  }
  // `undefined` is not the same as `false`: it drops an empty `<think></think>` at the start.
  const reasoning = flag('reasoning') || startWithReasoning || undefined
  return { reasoning, startWithReasoning, tolerance }
}
