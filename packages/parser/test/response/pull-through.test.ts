import { describe, expect, test } from 'vitest'
import type { PartReader } from '../../src/response/part-reader.js'
import { type PartSource, pullThrough, readThrough } from '../../src/response/pull-through.js'
import type { Part } from '../../src/sdk/parts.js'

const text = (delta: string): Part => ({ type: 'text-delta', id: '1', delta })

/** A source that makes a part only when it is asked for one. Counts how often that was. */
function createSource(parts: readonly (Part | Error)[]) {
  const left = [...parts]
  const state = { pulled: 0, cancelled: undefined as unknown }
  const stream = new ReadableStream<Part>(
    {
      pull(controller) {
        state.pulled++
        const next = left.shift()
        if (next === undefined) controller.close()
        else if (next instanceof Error) controller.error(next)
        else controller.enqueue(next)
      },
      cancel(reason) {
        state.cancelled = reason
      },
    },
    { highWaterMark: 0 },
  )
  return { state, stream }
}

/** Reads all parts, and the error that ended them. */
async function readAll(source: PartSource) {
  const reader = source.getReader()
  const parts: Part[] = []
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { parts, error: undefined }
      parts.push(value)
    }
  } catch (error) {
    return { parts, error }
  }
}

/** The source without anything that only a stream has. */
const readOnly = (stream: ReadableStream<Part>): PartSource => ({
  getReader: () => stream.getReader(),
})

/** Holds text back until a part contains `!`, or the stream is over. */
function holdingReader(): PartReader {
  let held = ''
  return part => {
    held += part?.delta ?? ''
    if (part && !held.includes('!')) return []
    const released = held
    held = ''
    return released === '' ? [] : [text(released)]
  }
}

describe.each<[string, (stream: ReadableStream<Part>, read: PartReader) => PartSource]>([
  ['pullThrough', pullThrough],
  ['readThrough of a stream', readThrough],
  ['readThrough of what is no stream', (stream, read) => readThrough(readOnly(stream), read)],
])('%s', (_name, through) => {
  test('parts that the reader makes are passed on one by one', async () => {
    const { stream } = createSource([text('a'), text('b')])
    const twice: PartReader = part => (part ? [part, part] : [])
    const { parts, error } = await readAll(through(stream, twice))
    expect(parts.map(part => part.delta)).toEqual(['a', 'a', 'b', 'b'])
    expect(error).toBeUndefined()
  })

  test('text that is held back is read on for, and released at the end', async () => {
    const { stream } = createSource([text('a'), text('b!'), text('c')])
    const { parts } = await readAll(through(stream, holdingReader()))
    expect(parts.map(part => part.delta)).toEqual(['ab!', 'c'])
  })

  test('twenty thousand parts that are held back become one', async () => {
    const { stream } = createSource(Array.from({ length: 20_000 }, () => text('x')))
    const { parts } = await readAll(through(stream, holdingReader()))
    expect(parts.map(part => part.delta?.length)).toEqual([20_000])
  })

  test.each([
    ['at once', [text('a!'), new Error('gone')]],
    ['after text that was held back', [text('a'), new Error('gone')]],
  ])('an error of the source comes after what was read: %s', async (_, given) => {
    const { stream } = createSource(given)
    const { parts, error } = await readAll(through(stream, holdingReader()))
    expect(parts).toHaveLength(1)
    expect(error).toEqual(new Error('gone'))
  })

  test.each([
    ['at once', 1],
    ['after a part that was held back', 2],
  ])('an error of the reader ends the stream with what it still has: %s', async (_, failsAt) => {
    const { stream } = createSource([text('a'), text('b'), text('c')])
    let count = 0
    const read: PartReader = part => {
      if (!part) return [text('rest')]
      count++
      if (count === failsAt) throw new Error('broken')
      return []
    }
    const { parts, error } = await readAll(through(stream, read))
    expect(parts.map(part => part.delta)).toEqual(['rest'])
    expect(error).toEqual(new Error('broken'))
  })

  test('no part is pulled before it is asked for', async () => {
    const { stream, state } = createSource([text('a'), text('b')])
    const reader = through(stream, part => (part ? [part] : [])).getReader()
    expect(state.pulled).toBe(0)
    await reader.read()
    expect(state.pulled).toBe(1)
  })

  test('a stream that is cancelled cancels its source', async () => {
    const { stream, state } = createSource([text('a'), text('b')])
    const reader = through(stream, part => (part ? [part] : [])).getReader()
    await reader.read()
    await reader.cancel('enough')
    expect(state.cancelled).toBe('enough')
  })
})

test('readThrough returns a stream for a stream only', () => {
  const read: PartReader = () => []
  const { stream } = createSource([])
  const { stream: other } = createSource([])
  expect(readThrough(stream, read)).toBeInstanceOf(ReadableStream)
  expect(readThrough(readOnly(other), read)).not.toBeInstanceOf(ReadableStream)
})
