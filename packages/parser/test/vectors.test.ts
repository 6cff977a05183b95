import { readdirSync, readFileSync } from 'node:fs'
import { getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { isEngineProtocol } from '../src/protocols/protocol.js'
import { allSplits, describeChunks } from './support/chunks.js'
import { type Piece, readPieces, tryTo } from './support/read-answer.js'

/**
 * A vector is a text and what it means: strings for text, `{ thought }` for thoughts, `{ tool,
 * input }` for calls, `{ tool, raw }` for calls whose input is not JSON. `problems` are the codes
 * that are reported.
 */
interface VectorFile {
  readonly protocol: string
  readonly tools: { type: 'function'; name: string; inputSchema: unknown }[]
  readonly vectors: readonly Vector[]
}
interface Vector {
  readonly name: string
  readonly text: string
  readonly expected: readonly Piece[]
  readonly problems?: readonly string[]
  readonly isCut?: boolean
  readonly options?: Record<string, unknown>
}

const folder = new URL('./vectors/', import.meta.url)
const files = readdirSync(folder).filter(file => file.endsWith('.json'))

describe.each(files)('vectors of %s', file => {
  const {
    protocol: name,
    tools,
    vectors,
  }: VectorFile = JSON.parse(readFileSync(new URL(file, folder), 'utf8'))
  const protocol = getProtocol(name)
  if (!isEngineProtocol(protocol)) throw new Error(`${name} is not read by the engine`)

  it.each(vectors)('$name', ({ text, expected, problems = [], isCut = false, options = {} }) => {
    const want = { pieces: expected, problems }
    for (const chunks of allSplits(text)) {
      const got = tryTo(() => readPieces({ protocol, tools, chunks, isCut, options }))
      expect(got, describeChunks(chunks)).toEqual(want)
    }
  })
})
