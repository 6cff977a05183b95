import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createEventStream } from '../../src/http/event-stream.js'
import { takePieces } from '../support/take-pieces.js'

const comment = ': still here\n\n'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A stream whose source answers when the test says so. */
function startStream() {
  const seen = { asked: 0, sent: 0, cancelled: 0 }
  let answer = (_: string | undefined) => {}
  let fail = (_: Error) => {}
  const stream = createEventStream(
    {
      next() {
        seen.asked++
        return new Promise((resolve, reject) => {
          answer = resolve
          fail = reject
        })
      },
      cancel: () => seen.cancelled++,
      sent: bytes => {
        seen.sent += bytes
      },
    },
    1000,
  )
  return {
    stream,
    seen,
    ...takePieces(stream),
    async say(text: string | undefined) {
      answer(text)
      await vi.advanceTimersByTimeAsync(0)
    },
    async breakOff(error: Error) {
      fail(error)
      await vi.advanceTimersByTimeAsync(0)
    },
  }
}

describe('a stream of events', () => {
  it('asks its source only when it is read, and counts bytes', async () => {
    const { seen, taken, read, say } = startStream()
    expect(seen.asked).toBe(0)
    read()
    await say('data: für\n\n')
    expect(taken).toEqual(['data: für\n\n'])
    expect(seen).toMatchObject({ asked: 1, sent: 12 })
    read()
    await say(undefined)
    expect(taken).toEqual(['data: für\n\n', 'end'])
  })

  it('says that it is alive while its source is silent, and loses no text by it', async () => {
    const { seen, taken, read, say } = startStream()
    read()
    await vi.advanceTimersByTimeAsync(1000)
    expect(taken).toEqual([comment])
    // The client has not read on yet when the text comes.
    await say('late')
    read()
    await vi.advanceTimersByTimeAsync(0)
    expect(taken).toEqual([comment, 'late'])
    expect(seen.asked).toBe(1)
  })

  it('asks its source once, however many comments come before the text', async () => {
    const { seen, taken, read, say } = startStream()
    for (let i = 0; i < 3; i++) {
      read()
      await vi.advanceTimersByTimeAsync(1000)
    }
    read()
    await say('late')
    expect(taken).toEqual([comment, comment, comment, 'late'])
    expect(seen.asked).toBe(1)
  })

  it('sends no comment to a client that does not read, nor before its time', async () => {
    const { taken, read, say } = startStream()
    read()
    await vi.advanceTimersByTimeAsync(900)
    await say('a')
    read()
    await vi.advanceTimersByTimeAsync(900)
    expect(taken).toEqual(['a'])
    await say('b')
    await vi.advanceTimersByTimeAsync(5000)
    expect(taken).toEqual(['a', 'b'])
  })

  it.each(['end', 'oops'])(
    'gives a late end, or a late error, to the next read: %s',
    async last => {
      const { taken, read, say, breakOff } = startStream()
      read()
      await vi.advanceTimersByTimeAsync(1000)
      if (last === 'end') await say(undefined)
      else await breakOff(new Error(last))
      read()
      await vi.advanceTimersByTimeAsync(0)
      expect(taken).toEqual([comment, last])
      expect(vi.getTimerCount()).toBe(0)
    },
  )

  it('stops when the client is gone', async () => {
    const { stream, seen, taken, read } = startStream()
    read()
    stream.cancel('gone')
    expect([seen.cancelled, taken, vi.getTimerCount()]).toEqual([1, ['end'], 0])
  })
})
