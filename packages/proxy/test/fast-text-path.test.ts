import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamPart } from '../src/model-types.js'
import { createFastTextPath } from '../src/upstream/fast-text-path.js'
import { propertyRuns } from './support/property-runs.js'

const chunk = (delta: unknown, more: object = {}, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: finish }], ...more })}\n\n`
const usage = { usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } }
const text = (content: string) => chunk({ content })
const reasoning = (reasoning_content: string) => chunk({ reasoning_content, content: null })
const call = (index: number, fn: object, id?: string) =>
  chunk({ tool_calls: [{ index, ...(id ? { id, type: 'function' } : {}), function: fn }] })
const last = `${chunk({}, {}, 'stop')}data: [DONE]\n\n`

/** Every kind of event that a server may send, in some order. */
const wires: Readonly<Record<string, string>> = {
  text: chunk({ role: 'assistant', content: '' }) + text('Hel') + text('lo, wörld 🙂') + last,
  'text with its end': text('a') + chunk({ content: 'b' }, {}, 'length') + last,
  reasoning: reasoning('Hm') + reasoning('m.') + text('So') + reasoning('Wait') + text('no') + last,
  'both at once': chunk({ reasoning: 'why', content: 'what' }) + last,
  'the same around it': text('a') + text('"\\\n\u0001 \ud83d') + text('') + text('b') + last,
  'the same around more': text('a') + chunk({ content: 'b', reasoning: 'c' }) + text('d') + last,
  'the same around a call':
    text('a') +
    chunk({
      content: 'b',
      tool_calls: [{ index: 0, id: 'i', function: { name: 'f', arguments: '{}' } }],
    }) +
    last,
  'the same around broken text': `${text('a')}${text('x').replace('"x"', '"\\x"')}${text('x').replace('"x"', '"\t"')}${text('b')}${last}`,
  'text that looks like a key': text('"content":"a') + text('"content":"b') + last,
  'a key twice': text('a') + text('a').replace('"a"', '"b","content":"c"') + last,
  usage: `${text('a') + text('b') + chunk({}, {}, 'stop') + chunk({}, { choices: [], ...usage })}data: [DONE]\n\n`,
  'usage all along': chunk({ content: 'a' }, usage) + chunk({ content: 'b' }, usage) + last,
  'a call':
    text('Look: ') +
    call(0, { name: 'f', arguments: '' }, 'id-1') +
    call(0, { arguments: '{"a":1}' }) +
    last,
  'two calls and text':
    reasoning('two') +
    call(0, { name: 'f', arguments: '{}' }, 'id-1') +
    call(1, { name: 'g', arguments: '{"b":2}' }, 'id-2') +
    text('done') +
    last,
  'no calls':
    chunk({ content: 'a', tool_calls: [] }) + chunk({ content: 'b', tool_calls: null }) + last,
  'comments and other lines': `: ping\n\n${text('a')}: ping\n\nevent: message\n${text('b')}retry: 5\n\n${text('c')}${last}`,
  'line ends of another kind': (text('a') + text('b') + last).replaceAll('\n', '\r\n'),
  'no space': (text('a') + text('b') + last).replaceAll('data: ', 'data:'),
  'data over two lines': `data: {"choices":[{"delta":{"content":\ndata: "two"}}]}\n\n${text('b')}${last}`,
  'a byte order mark': `\ufeff${text('a')}${last}`,
  'no JSON': `${text('a')}data: {oops}\n\n${text('b')}${last}`,
  'an error': `${text('a')}data: {"error":{"message":"out of memory"}}\n\n`,
  'no end': text('a') + text('b'),
  'half an event': text('a') + text('b').slice(0, -9),
  'text in parts': chunk({ content: [{ type: 'text', text: 'a' }] }) + last,
  'a strange role': text('a') + chunk({ role: 'user', content: 'b' }) + last,
  'a long event': text('a') + text('long '.repeat(20_000)) + text('b') + last,
  nothing: '',
}

const maxBytes = 1e6

/**
 * Parts of an answer that arrives in these pieces, read by the provider alone or through the fast
 * text path.
 */
async function partsOf(
  pieces: readonly Uint8Array[],
  hasFastPath: boolean,
  failure?: Error,
): Promise<unknown[]> {
  let next = 0
  const body = () =>
    new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          const piece = pieces[next++]
          if (piece) controller.enqueue(piece)
          else if (failure) controller.error(failure)
          else controller.close()
        },
      },
      { highWaterMark: 0 },
    )
  const fastPath = createFastTextPath(
    async () => new Response(body(), { headers: { 'content-type': 'text/event-stream' } }),
    maxBytes,
  )
  const provider = createOpenAICompatible({
    name: 'upstream',
    baseURL: 'http://localhost/v1',
    fetch: fastPath.fetch,
  })
  const model = hasFastPath ? fastPath.speedUp(provider('m')) : provider('m')
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hi' }] }]
  const { stream } = await model.doStream({ prompt, abortSignal: new AbortController().signal })
  const parts: StreamPart[] = []
  let isThrown = false
  try {
    const reader = stream.getReader()
    for (let read = await reader.read(); !read.done; read = await reader.read())
      parts.push(read.value)
  } catch {
    isThrown = true
  }
  const shown = withoutEnds(parts, !isThrown)
    .filter(({ type }) => type !== 'response-metadata')
    .map(withPlainId())
  return isThrown ? [...shown, 'thrown'] : shown
}

/**
 * Removes the start and end parts, after checking that every text and reasoning has both. The
 * provider and the fast text path may differ in where these parts are.
 */
function withoutEnds(parts: readonly StreamPart[], isWhole: boolean): StreamPart[] {
  const open = new Set<string>()
  const rest = parts.filter(part => {
    const [, kind, place] = /^(text|reasoning)-(start|delta|end)$/.exec(part.type) ?? []
    if (!kind || !('id' in part)) return true
    expect(open.has(part.id), `${part.type} of ${part.id}`).toBe(place !== 'start')
    if (place === 'start') open.add(part.id)
    if (place === 'end') open.delete(part.id)
    return place === 'delta'
  })
  if (isWhole) expect(open.size).toBe(0)
  return rest
}

/**
 * The provider makes up an id for a call whose own was used before: calls are told apart by their
 * order.
 */
function withPlainId() {
  const seen: string[] = []
  const plain = (id: string) => {
    if (!seen.includes(id)) seen.push(id)
    return `call ${seen.indexOf(id)}`
  }
  return (part: StreamPart): StreamPart => {
    if (part.type === 'tool-call') return { ...part, toolCallId: plain(part.toolCallId) }
    return part.type.startsWith('tool-input') && 'id' in part
      ? { ...part, id: plain(part.id) }
      : part
  }
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [
    0,
    ...places.map(place => place % (bytes.length + 1)).sort((a, b) => a - b),
    bytes.length,
  ]
  return sorted.slice(1).map((end, i) => bytes.slice(sorted[i], end))
}

describe('the short way of plain text', () => {
  it.each(Object.keys(wires))('brings what the provider brings: %s', async name => {
    const bytes = new TextEncoder().encode(wires[name])
    const expected = await partsOf([bytes], false)
    expect(await partsOf([bytes], true)).toEqual(expected)
    const step = Math.max(1, Math.floor(bytes.length / 1000))
    const small = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
      bytes.slice(i * step, (i + 1) * step),
    )
    expect(await partsOf(small, true)).toEqual(expected)
  })

  it('does so for any order of events, in any pieces', async () => {
    // A byte order mark may only be at the beginning.
    const events = Object.values(wires)
      .flatMap(wire => wire.split(/(?<=\n\n)/))
      .filter(event => event.length < 1000 && !event.startsWith('\ufeff'))
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...events), { maxLength: 12 }),
        fc.array(fc.nat(3000), { maxLength: 8 }),
        fc.boolean(),
        async (order, places, isBroken) => {
          const bytes = new TextEncoder().encode(order.join(''))
          const failure = isBroken ? new Error('reset') : undefined
          const given = await partsOf(cut(bytes, places), true, failure)
          const expected = await partsOf([bytes], false, failure)
          // An error overtakes the parts that still stand in the provider's queues: as many came
          // out as were read by then.
          const length =
            expected.at(-1) === 'thrown' ? Math.min(given.length, expected.length) - 1 : undefined
          expect(given.slice(0, length)).toEqual(expected.slice(0, length))
          expect(given.at(-1)).toEqual(expected.at(-1))
        },
      ),
      propertyRuns(300),
    )
  })

  it('sends text before the next event is there', async () => {
    const fastPath = createFastTextPath(
      async () => new Response(endless(), { headers: { 'content-type': 'text/event-stream' } }),
      maxBytes,
    )
    let isCancelled = false
    const endless = () =>
      new ReadableStream<Uint8Array>({
        start: controller => controller.enqueue(new TextEncoder().encode(text('first'))),
        cancel() {
          isCancelled = true
        },
      })
    const model = fastPath.speedUp(
      createOpenAICompatible({ name: 'u', baseURL: 'http://localhost/v1', fetch: fastPath.fetch })(
        'm',
      ),
    )
    const { stream } = await model.doStream({
      prompt: [],
      abortSignal: new AbortController().signal,
    })
    const reader = stream.getReader()
    const types = []
    for (let i = 0; i < 3; i++) types.push((await reader.read()).value?.type)
    expect(types).toEqual(['stream-start', 'text-start', 'text-delta'])
    await reader.cancel()
    expect(isCancelled).toBe(true)
  })
})
