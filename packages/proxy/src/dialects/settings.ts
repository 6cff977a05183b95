import type { ModelParams } from '../model-types.js'
import type { Fields } from './fields.js'

/**
 * The settings that have a name in the SDK. The limit and the stops have another name in each API.
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

/** A JSON format for the answer. */
export function jsonFormat(format: Fields): NonNullable<ModelParams['responseFormat']> {
  const name = format.string('name')
  const schema = format.object('schema')?.value
  return { type: 'json', ...(schema ? { schema } : {}), ...(name ? { name } : {}) }
}

/** The fields that are not read here, for the server's own API. */
export function otherFields(body: Fields, known: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(body.value).filter(([key]) => !known.has(key)))
}

export function withoutUndefined(
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined))
}
