import type { ModelParams } from '../model-types.js'
import type { Fields } from './fields.js'

/**
 * Reads the settings that the SDK knows. The keys of the token limit and of the stop sequences
 * differ between the APIs.
 */
export function readSettings(
  body: Fields,
  { maxTokens, stop }: { readonly maxTokens: readonly string[]; readonly stop?: string },
): Partial<ModelParams> {
  const maxOutputTokens = maxTokens.map(key => body.number(key)).find(value => value !== undefined)
  return withoutUndefined({
    maxOutputTokens,
    temperature: body.number('temperature'),
    topP: body.number('top_p'),
    presencePenalty: body.number('presence_penalty'),
    frequencyPenalty: body.number('frequency_penalty'),
    seed: body.number('seed'),
    stopSequences: stop === undefined ? undefined : readStops(body, stop),
  })
}

function readStops(body: Fields, key: string): string[] | undefined {
  const one = body.value[key]
  return typeof one === 'string' ? [one] : body.strings(key)
}

/** Reads a JSON Schema for the answer. */
export function jsonFormat(format: Fields): NonNullable<ModelParams['responseFormat']> {
  const name = format.string('name')
  const schema = format.object('schema')?.value
  return { type: 'json', ...(schema ? { schema } : {}), ...(name ? { name } : {}) }
}

/** Returns the fields that are not in `known`; they are sent to the server unchanged. */
export function otherFields(body: Fields, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body.value).filter(([key]) => !known.has(key)))
}

export function withoutUndefined(
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
