import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'

const parserSource = fileURLToPath(new URL('../../../parser/src/', import.meta.url))

export interface Bundle {
  readonly code: string
  readonly bytes: number
  readonly gzipBytes: number
}

/** Bundles a program as an application would, minified, and returns its size. */
export async function measureBundle(program: string): Promise<Bundle> {
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: parserSource, loader: 'ts' },
    alias: {
      '@toolglot/parser/formats': `${parserSource}formats.ts`,
      '@toolglot/parser/protocol': `${parserSource}protocol.ts`,
      '@toolglot/parser': `${parserSource}index.ts`,
    },
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'neutral',
    write: false,
    charset: 'utf8',
  })
  const contents = outputFiles[0]?.contents ?? new Uint8Array()
  return {
    code: new TextDecoder().decode(contents),
    bytes: contents.length,
    gzipBytes: gzipSync(contents).length,
  }
}
