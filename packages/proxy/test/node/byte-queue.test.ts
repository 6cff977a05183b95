import { describe, expect, it } from 'vitest'
import { createByteQueue } from '../../src/node/byte-queue.js'
import { settle, takePieces } from '../support/take-pieces.js'

const bytes = (text: string) => new TextEncoder().encode(text)

function startQueue(maxBytes = 100) {
  const seen = { freed: 0, cancelled: 0 }
  const queue = createByteQueue({
    maxBytes,
    onFree: () => seen.freed++,
    onCancel: () => seen.cancelled++,
  })
  return { queue, seen, ...takePieces(queue) }
}

describe('bytes that wait for their reader', () => {
  it('reach a read that waits at once, and the others in order', async () => {
    const { queue, taken, read } = startQueue()
    read()
    queue.put(bytes('a'))
    expect(taken).toEqual(['a'])
    queue.put(bytes('b'))
    queue.put(bytes('c'))
    for (let i = 0; i < 2; i++) {
      read()
      await settle()
    }
    expect(taken).toEqual(['a', 'b', 'c'])
  })

  it('never come before `read` has returned, so that reading on is no recursion', async () => {
    const { queue, taken, read } = startQueue()
    queue.put(bytes('a'))
    read()
    expect(taken).toEqual([])
    await settle()
    expect(taken).toEqual(['a'])
  })

  it.each([
    ['the end', 'end'],
    ['an error', 'broken'],
  ] as const)('come before %s, which every later read gets', async (_, last) => {
    const { queue, taken, read } = startQueue()
    queue.put(bytes('a'))
    if (last === 'end') queue.end()
    else queue.fail(new Error(last))
    for (let i = 0; i < 3; i++) {
      read()
      await settle()
    }
    expect(taken).toEqual(['a', last, last])
  })

  it('answer a read that waits with the end, or with the error', () => {
    for (const end of ['end', 'broken']) {
      const { queue, taken, read } = startQueue()
      read()
      if (end === 'end') queue.end()
      else queue.fail(new Error(end))
      expect(taken).toEqual([end])
    }
  })

  it('say when there are too many of them, and when there is room again', async () => {
    const { queue, seen, read } = startQueue(4)
    expect(queue.put(bytes('abc'))).toBe(true)
    expect(queue.put(bytes('de'))).toBe(false)
    expect(seen.freed).toBe(0)
    read()
    await settle()
    expect(seen.freed).toBe(1)
    read()
    await settle()
    expect(seen.freed).toBe(1)
  })

  it('are dropped when the reader goes away, and the read that waits gets the end', async () => {
    const { queue, seen, taken, read } = startQueue()
    read()
    queue.cancel()
    expect([seen.cancelled, taken]).toEqual([1, ['end']])
    expect(queue.put(bytes('late'))).toBe(true)
    read()
    await settle()
    expect(taken).toEqual(['end', 'end'])
  })
})
