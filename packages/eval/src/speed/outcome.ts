import type { Part } from '@toolglot/parser'

/** The text and the calls of a stream. */
export interface Outcome {
  readonly text: string
  readonly calls: readonly OutcomeCall[]
}

export interface OutcomeCall {
  readonly toolName: string
  /** JSON text. */
  readonly input: string
  /** The joined deltas of the input. */
  readonly streamedInput: string
}

/**
 * Reads a stream to its end. Every stream is read in the same way, including the empty one, so that
 * reading does not affect the comparison.
 */
export async function readOutcome(stream: ReadableStream<Part>): Promise<Outcome> {
  const texts: string[] = []
  const calls: OutcomeCall[] = []
  let deltas: string[] = []
  const reader = stream.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return { text: texts.join(''), calls }
    if (value.type === 'text-delta') texts.push(textOf(value, 'delta'))
    else if (value.type === 'tool-input-delta') deltas.push(textOf(value, 'delta'))
    else if (value.type === 'tool-call') {
      calls.push({
        toolName: textOf(value, 'toolName'),
        input: textOf(value, 'input'),
        streamedInput: deltas.join(''),
      })
      deltas = []
    }
  }
}

export function textOf(part: Part, key: 'delta' | 'toolName' | 'input'): string {
  const value: unknown = Reflect.get(part, key)
  return typeof value === 'string' ? value : ''
}
