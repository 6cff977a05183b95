export interface TokenCounter {
  /** Name of the tokenizer, or `estimate`. */
  readonly name: string
  readonly isExact: boolean
  count(text: string): number
}

/** The hint that tells users how to get exact counts. */
export const tokenizerHint =
  'estimated at 4 bytes per token: install gpt-tokenizer next to toolglot for exact counts\n  (npx -p toolglot -p gpt-tokenizer toolglot …)'

/**
 * Counts tokens with gpt-tokenizer if it is installed. It is larger than the whole rest of the
 * program, so it is not a dependency. Without it tokens are estimated and marked as estimates.
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
 * Text that looks like a special token is counted as ordinary characters and does not throw.
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

/** Returns `1,234`, or `~1,234` for an estimate. */
export function showTokens(count: number, { isExact }: TokenCounter): string {
  return `${isExact ? '' : '~'}${count.toLocaleString('en-US')}`
}
