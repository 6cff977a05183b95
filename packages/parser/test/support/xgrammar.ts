import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * What a JSON Schema makes a constrained decoder accept: xgrammar, the engine of vLLM and SGLang,
 * as WebAssembly.
 */
export interface Decoder {
  accepts(text: string): Promise<boolean>
}

interface XGrammar {
  readonly Grammar: { fromJSONSchema(schema: string): Promise<{ dispose(): void }> }
  readonly Testings: { isGrammarAcceptString(grammar: unknown, text: string): Promise<boolean> }
}

/**
 * Its file is UMD, but its package says that it is a module: a copy with another ending can be
 * required.
 */
function loadXGrammar(): XGrammar {
  const require = createRequire(import.meta.url)
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-xgrammar-'))
  try {
    const copy = join(folder, 'xgrammar.cjs')
    cpSync(require.resolve('@mlc-ai/web-xgrammar'), copy)
    return require(copy)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let loaded: XGrammar | undefined

/** Throws if the decoder refuses the schema. */
export async function compileSchema(schema: unknown): Promise<Decoder> {
  loaded ??= loadXGrammar()
  const { Grammar, Testings } = loaded
  const grammar = await Grammar.fromJSONSchema(JSON.stringify(schema))
  return { accepts: text => Testings.isGrammarAcceptString(grammar, text) }
}
