import { readFileSync } from 'node:fs'
import { type FunctionTool, getProtocol } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { autoProtocol } from '../src/formats/auto-protocol.js'
import { nativeFormats } from '../src/formats/registry.js'
import type { EngineProtocol } from '../src/protocols/protocol.js'
import { allSplits, describeChunks, randomChunks } from './support/chunks.js'
import { readEvents } from './support/read-answer.js'

/**
 * A call in another form than that of its format, and what it means: in each of the formats, and in
 * `auto` that asks for one of them.
 */
interface OtherForm {
  readonly name: string
  readonly text: string
  readonly formats: readonly string[]
  readonly calls: readonly { readonly tool: string; readonly input: unknown }[]
  /** The codes of the repairs in the named formats. */
  readonly repairs: readonly string[]
}

const { tools, vectors }: { tools: FunctionTool[]; vectors: OtherForm[] } = JSON.parse(
  readFileSync(new URL('./corpus/other-forms.json', import.meta.url), 'utf8'),
)

interface Found {
  readonly calls: unknown[]
  readonly repairs: string[]
  readonly problems: string[]
}

function read(protocol: EngineProtocol, chunks: readonly string[]): Found {
  const found: Found = { calls: [], repairs: [], problems: [] }
  for (const event of readEvents({ protocol, tools, chunks })) {
    if (event.type === 'problem') found.problems.push(event.problem.code)
    if (event.type !== 'call-end') continue
    if (event.problem) found.problems.push(event.problem.code)
    else found.calls.push({ tool: event.toolName, input: JSON.parse(event.input) })
    found.repairs.push(...event.repairs.map(({ code }) => code))
  }
  return { ...found, repairs: [...new Set(found.repairs)].sort() }
}

/** All splits for the first format of a form; for the others it is enough to read by character. */
const splitsOf = (text: string, isFirst: boolean) =>
  isFirst ? allSplits(text) : [[text], [...text], randomChunks(text, 5)]

const isNative = (name: string) => nativeFormats.some(format => format.id === name)

describe('calls in other forms', () => {
  it.each(vectors)('$name, in the formats themselves', ({ text, formats, calls, repairs }) => {
    for (const [index, name] of formats.entries()) {
      for (const chunks of splitsOf(text, index === 0)) {
        const where = `${name}, ${describeChunks(chunks)}`
        expect(read(getProtocol(name), chunks), where).toEqual({ calls, repairs, problems: [] })
      }
    }
  })

  const inAuto = vectors.filter(({ formats }) => formats.some(isNative))
  it.each(inAuto)('$name, in auto', ({ text, formats, calls }) => {
    for (const [index, name] of formats.entries()) {
      const format = nativeFormats.find(each => each.id === name)
      if (!format) throw new Error(`${name} is no format`)
      const protocol = autoProtocol(format, nativeFormats)
      const whole = read(protocol, [text])
      expect({ ...whole, repairs: [] }, name).toEqual({ calls, repairs: [], problems: [] })
      for (const chunks of splitsOf(text, index === 0)) {
        expect(read(protocol, chunks), `${name}, ${describeChunks(chunks)}`).toEqual(whole)
      }
    }
  })
})
