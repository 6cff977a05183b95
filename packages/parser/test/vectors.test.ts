import { readdirSync, readFileSync } from 'node:fs'
import { getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { isEngineProtocol } from '../src/protocols/protocol.js'
import { randomPieces } from './support/random-pieces.js'
import { type Piece, readPieces } from './support/read-pieces.js'

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
    const read = (chunks: readonly string[]) =>
      readPieces({ protocol, tools, chunks, isCut, options })
    expect(read([text])).toEqual(want)
    expect(read(text.split(''))).toEqual(want)
    for (let at = 1; at < text.length; at++)
      expect(read([text.slice(0, at), text.slice(at)])).toEqual(want)
    for (let seed = 1; seed <= 20; seed++) expect(read(randomPieces(text, seed))).toEqual(want)
  })
})
