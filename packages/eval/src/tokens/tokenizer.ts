/** Names only, in a separate file: importing the tokenizers loads megabytes of data. */
export const tokenizerNames = ['o200k_base', 'llama3'] as const
export type TokenizerName = (typeof tokenizerNames)[number]

export interface Tokenizer {
  readonly name: TokenizerName
  count(text: string): number
}

/** A special token of a model that is not text, such as `<|call|>` of gpt-oss. */
export interface SpecialToken {
  readonly special: string
}

/** A text of a model, with special tokens in between. */
export type Segment = string | SpecialToken

/** Counts tokens. A special token counts as one with every tokenizer. */
export function countSegments({ count }: Tokenizer, segments: readonly Segment[]): number {
  return segments.reduce(
    (total, segment) => total + (typeof segment === 'string' ? count(segment) : 1),
    0,
  )
}
