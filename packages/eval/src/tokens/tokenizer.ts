/** In a file of its own, so that what only names a tokenizer does not load megabytes of merges. */
export const tokenizerNames = ['o200k_base', 'llama3'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

export interface Tokenizer {
  readonly name: TokenizerName
  count(text: string): number
}

/** A token of the model's own that is no text, such as `<|call|>` of gpt-oss. */
export interface SpecialToken {
  readonly special: string
}

/** What a model reads or writes: text, with special tokens in between. */
export type Segment = string | SpecialToken

/** A special token counts as one, whichever tokenizer: each has its own for the same purpose. */
export function countSegments({ count }: Tokenizer, segments: readonly Segment[]): number {
  return segments.reduce(
    (total, segment) => total + (typeof segment === 'string' ? count(segment) : 1),
    0,
  )
}
