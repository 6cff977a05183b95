export interface TokenCounter {
  /** The tokenizer, or how it was estimated. */
  readonly name: string
  readonly isExact: boolean
  count(text: string): number
}

/** How to get exact counts, for people. */
export const tokenizerHint =
  'estimated, at 4 bytes a token: install gpt-tokenizer beside toolglot for exact counts\n  (npx -p toolglot -p gpt-tokenizer toolglot …)'

/**
 * Counts tokens with gpt-tokenizer where it is installed. It is larger than the rest of the program
 * together, so it is not brought along; without it tokens are estimated, and said to be.
 */
export async function loadTokenCounter(load = loadTokenizer): Promise<TokenCounter> {
  const countTokens = await load()
  if (!countTokens)
    return {
      name: 'estimate',
      isExact: false,
      count: text => Math.ceil(Buffer.byteLength(text) / 4),
    }
  return { name: 'o200k_base', isExact: true, count: countTokens }
}

/**
 * What looks like a special token in a text is counted as the characters that it is, and does not
 * throw.
 */
const asPlainText = { disallowedSpecial: new Set<string>() }

async function loadTokenizer(): Promise<((text: string) => number) | undefined> {
  try {
    const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
    return text => countTokens(text, asPlainText)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND')
      return undefined
    throw error
  }
}

/** `1,234 tokens`, or `~1,234 tokens` where that is a guess. */
export function showTokens(count: number, { isExact }: TokenCounter): string {
  return `${isExact ? '' : '~'}${count.toLocaleString('en-US')}`
}
