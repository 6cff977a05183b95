import { describe, expect, it } from 'vitest'
import { redactorFor } from '../../src/http/redactor.js'
import type { StreamPart } from '../../src/model-types.js'

const server = (apiKey: string, headers: Record<string, string> = {}) => ({
  name: 'a',
  baseUrl: 'http://a/v1',
  apiKey,
  headers,
})
function hiding(apiKey: string, headers: Record<string, string> = {}) {
  const redactor = redactorFor(server(apiKey, headers))
  if (!redactor) throw new Error('There is no key to hide.')
  return redactor
}
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString()

const KEY = 'sk-abc"/1'
const ANSWER = `x ${KEY} y ${JSON.stringify(KEY)} z ${JSON.stringify(JSON.stringify(KEY))} ${encodeURIComponent(KEY)} sk-abc`

describe('a header of the configuration', () => {
  it.each([
    // header                            what the server repeats
    ['authorization', 'Bearer sk-1234567', 'sk-1234567'],
    ['authorization', 'Token sk-1234567', 'sk-1234567'],
    ['authorization', 'Key sk-1234567', 'sk-1234567'],
    ['x-api-key', 'sk-1234567', 'sk-1234567'],
    ['cookie', 'session=abc1234567; csrf=def1234567', 'abc1234567'],
    ['cookie', 'session=abc1234567; csrf=def1234567', 'def1234567'],
    ['cookie', 'language=english; session=abc1234567', 'abc1234567'],
  ])('is hidden without what is around its key: %s: %s', (name, value, key) => {
    const redactor = redactorFor({ name: 'a', baseUrl: 'http://a/v1', headers: { [name]: value } })
    expect(redactor?.text(`got ${key}, ${value}`)).not.toContain(key)
    const words = 'Bearer Token Key session csrf language english'
    expect(redactor?.text(words)).toBe(words)
  })
})

describe('bytes', () => {
  it('contain no key, wherever they are cut', () => {
    const whole = bytes(ANSWER)
    for (let first = 0; first <= whole.length; first++)
      for (let second = first; second <= whole.length; second += 7) {
        const redactor = hiding(KEY).bytes(false)
        const pieces = [
          redactor.push(whole.subarray(0, first)),
          redactor.push(whole.subarray(first, second)),
          redactor.push(whole.subarray(second)),
          redactor.end(),
        ]
        expect(text(pieces), `cut at ${first} and ${second}`).toBe(
          'x [redacted] y "[redacted]" z "\\"[redacted]\\"" [redacted] sk-abc',
        )
      }
  })

  it('stay the same without a key in them, also where they are not text', () => {
    const redactor = hiding(KEY).bytes(false)
    const audio = Uint8Array.from({ length: 5000 }, (_, i) => (i * 7919) % 256)
    expect(redactor.push(audio)).toBe(audio)
    // The beginning of a key is kept only as long as it may be one.
    expect(text([redactor.push(bytes('ask-a'))])).toBe('a')
    expect(text([redactor.push(bytes('sk')), redactor.end()])).toBe('sk-ask')
  })

  it('contain the longer of two keys as one', () => {
    const keys = { 'x-key': 'sk-12345', 'x-token': 'sk-1234567' }
    for (let cut = 0; cut < 16; cut++) {
      const redactor = hiding('sk-123', keys).bytes(false)
      const whole = bytes('a sk-1234567 b')
      const pieces = [redactor.push(whole.subarray(0, cut)), redactor.push(whole.subarray(cut))]
      expect(text([...pieces, redactor.end()])).toBe('a [redacted] b')
    }
  })

  it('of an error contain no short key', () => {
    const error = '{"message":"Wrong key: abc (abcd)","id":"x-abc"}'
    const redactor = hiding('abc').bytes(true)
    const pieces = [redactor.push(bytes(error.slice(0, 24))), redactor.push(bytes(error.slice(24)))]
    expect(text([...pieces, redactor.end()])).toBe(
      '{"message":"Wrong key: [redacted] (abcd)","id":"x-abc"}',
    )
  })
})

describe('text', () => {
  it.each([
    // key          text                              in an answer                     in an error
    ['sk-123456', 'a sk-123456 b', 'a [redacted] b', 'a [redacted] b'],
    ['abc', 'abc, abcd', 'abc, abcd', '[redacted], abcd'],
    ['abc', 'Bearer abc', '[redacted]', '[redacted]'],
    ['none', 'tool_choice none', 'tool_choice none', 'tool_choice [redacted]'],
    ['none', 'nonetheless', 'nonetheless', 'nonetheless'],
    ['none', 'Bearer none', 'Bearer none', 'Bearer [redacted]'],
    ['x', 'x-ray of x', 'x-ray of x', 'x-ray of [redacted]'],
    ['ollama', 'ollama run', 'ollama run', '[redacted] run'],
    ['a+b(c', 'a+b(c', 'a+b(c', '[redacted]'],
  ])('with the key %j: %j', (key, given, inAnswer, inError) => {
    expect(hiding(key).text(given)).toBe(inAnswer)
    expect(hiding(key).strict(given)).toBe(inError)
  })

  it('contains no key of a header', () => {
    const redactor = redactorFor({
      name: 'a',
      baseUrl: 'http://a/v1',
      headers: {
        'X-Api-Key': 'key-in-a-header',
        authorization: 'Basic dXNlcjpw',
        'x-title': 'title',
      },
    })
    expect(redactor?.text('key-in-a-header dXNlcjpw title')).toBe('[redacted] [redacted] title')
  })

  it('is not searched where the server has no key', () => {
    expect(redactorFor({ name: 'a', baseUrl: 'http://a/v1' })).toBeUndefined()
  })
})

describe('the parts of a stream', () => {
  const delta = (id: string, piece: string): StreamPart => ({
    type: 'text-delta',
    id,
    delta: piece,
  })
  const run = (parts: readonly StreamPart[]) => {
    const hide = hiding('sk-123456').parts()
    return parts.flatMap(part => hide(part))
  }

  it('contain no key that is cut over deltas', () => {
    const end: StreamPart = { type: 'text-end', id: 'a' }
    for (let size = 1; size < 12; size++) {
      const pieces = 'It is sk-123456. Or sk-12'.match(new RegExp(`.{1,${size}}`, 'gs')) ?? []
      const out = run([...pieces.map(piece => delta('a', piece)), end])
      const said = out.map(part => (part.type === 'text-delta' ? part.delta : '')).join('')
      expect(said, `pieces of ${size}`).toBe('It is [redacted]. Or sk-12')
      expect(out.at(-1)).toEqual(end)
    }
  })

  it('are the same parts if there is nothing to hide', () => {
    const parts = [delta('a', 'Hello'), delta('a', ' you')]
    const out = run(parts)
    expect(out[0]).toBe(parts[0])
    expect(out[1]).toBe(parts[1])
  })

  it('keep the order of texts', () => {
    expect(run([delta('a', 'x sk-'), delta('b', '123456')])).toEqual([
      delta('a', 'x '),
      delta('a', 'sk-'),
      delta('b', '123456'),
    ])
  })

  it('contain no key in a call', () => {
    const call: StreamPart = {
      ...{ type: 'tool-call', toolCallId: 'c', toolName: 'f' },
      input: '{"key":"sk-123456"}',
    }
    expect(run([call])).toEqual([{ ...call, input: '{"key":"[redacted]"}' }])
  })
})
