import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import llama3Tokenizer from 'llama3-tokenizer-js'
import type { Tokenizer, TokenizerName } from './tokenizer.js'

/**
 * Text that looks like a special token is counted as ordinary characters and does not throw. The
 * tokenizer of Llama 3 has no such option: its own special tokens are always one token each.
 */
const asPlainText = { disallowedSpecial: new Set<string>() }

const o200k: Tokenizer = { name: 'o200k_base', count: text => countTokens(text, asPlainText) }
const llama3: Tokenizer = {
  name: 'llama3',
  count: text => llama3Tokenizer.encode(text, { bos: false, eos: false }).length,
}

/** Calls a function for each tokenizer. */
export function forEachTokenizer<Value>(
  of: (tokenizer: Tokenizer) => Value,
): Record<TokenizerName, Value> {
  return { o200k_base: of(o200k), llama3: of(llama3) }
}
