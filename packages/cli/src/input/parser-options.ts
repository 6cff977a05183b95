import type { OptionSpec } from '../command.js'

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
  strict: { type: 'boolean', about: 'exit with 1 if a call has a problem' },
} as const satisfies Readonly<Record<string, OptionSpec>>

export function readingOptionsOf(flag: (name: 'reasoning' | 'start-with-reasoning') => boolean) {
  const startWithReasoning = flag('start-with-reasoning')
  // `undefined` is not the same as `false`: it drops an empty `<think></think>` at the start.
  return { reasoning: flag('reasoning') || startWithReasoning || undefined, startWithReasoning }
}
