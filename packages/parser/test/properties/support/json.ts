export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

const jsonToken = /"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/gs

/**
 * JSON text in one spelling: no space between the tokens, strings escaped as `JSON.stringify` does
 * it, numbers digit by digit as they stand. Throws for text that is not JSON.
 */
export function canonicalJson(json: string): string {
  JSON.parse(json)
  return (json.match(jsonToken) ?? [])
    .map(token => (token.startsWith('"') ? JSON.stringify(JSON.parse(token)) : token))
    .join('')
}

/** An object of any keys: `__proto__` becomes a key like the others. */
export function objectOf(entries: Iterable<readonly [string, Json]>): {
  readonly [key: string]: Json
} {
  return Object.fromEntries(entries)
}
