import type { OptionSpec } from '../command.js'

/** Options of the commands that read what a model wrote. */
export const readingOptions = {
  reasoning: { type: 'boolean', about: 'what the model thinks is told apart from what it says' },
  'start-with-reasoning': {
    type: 'boolean',
    about: 'the text begins inside a thought, which the prompt has opened',
  },
  cut: {
    type: 'boolean',
    about: 'the text was ended by a limit: a call that lacks its end is not made whole',
  },
  strict: { type: 'boolean', about: 'exit with 1 if something is wrong with a call' },
} as const satisfies Readonly<Record<string, OptionSpec>>

export function readingOptionsOf(flag: (name: 'reasoning' | 'start-with-reasoning') => boolean) {
  const startWithReasoning = flag('start-with-reasoning')
  // Not given is not the same as no: an empty thought at the beginning is left out then.
  return { reasoning: flag('reasoning') || startWithReasoning || undefined, startWithReasoning }
}
