import { readdirSync, readFileSync } from 'node:fs'
import { getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { repairRules } from '../src/engine/repairs.js'
import { isEngineProtocol } from '../src/protocols/protocol.js'
import { allSplits, describeChunks } from './support/chunks.js'
import {
  type Piece,
  type ReadRequest,
  readEvents,
  readPieces,
  tryTo,
} from './support/read-answer.js'

/**
 * A vector is a text and what it means: strings for text, `{ reasoning }` for reasoning,
 * `{ tool, input }` for calls, `{ tool, raw }` for calls whose input is not JSON. `problems` are the
 * codes that are reported. `doubts` are the guesses in a call that runs only with the tolerance
 * `eager`: `expected` is what it means then.
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
  readonly doubts?: readonly string[]
  readonly isCut?: boolean
  readonly options?: Record<string, unknown>
}

/** The guesses of the calls that are refused because of them. */
function findDoubts(request: ReadRequest): string[] {
  return readEvents(request).flatMap(event => {
    if (event.type !== 'call-end' || event.problem?.code !== 'doubtful-call') return []
    return event.repairs.map(({ code }) => code).filter(code => repairRules[code].kind === 'guess')
  })
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

  it.each(vectors)('$name', vector => {
    const { text, expected, problems = [], doubts, isCut = false } = vector
    const options = { ...(doubts ? { tolerance: 'eager' as const } : {}), ...vector.options }
    const want = { pieces: expected, problems }
    for (const chunks of allSplits(text)) {
      const got = tryTo(() => readPieces({ protocol, tools, chunks, isCut, options }))
      expect(got, describeChunks(chunks)).toEqual(want)
      if (!doubts) continue
      const safe = {
        protocol,
        tools,
        chunks,
        isCut,
        options: { ...options, tolerance: 'safe' as const },
      }
      expect(findDoubts(safe), describeChunks(chunks)).toEqual(doubts)
    }
  })
})
