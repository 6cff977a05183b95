import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it } from 'vitest'
import { streamedAnswer } from './support/chat-wire.js'
import { begin, chatBody, errorOf, outcomeOf, send, sleep, until } from './support/raw-client.js'
import { writeCalls } from './support/scripted-manners.js'
import { type SeenRequest, sendJson, weatherArgs } from './support/scripted-upstream.js'
import { serveBoth } from './support/serve-both.js'
import { passTime, passTimeUntil, stopClock } from './support/stopped-clock.js'

const callText = writeCalls([{ name: 'get_weather', args: weatherArgs }], 'hermes')

/** An interception that begins a stream and leaves the rest to the test. */
function streaming(play: (response: ServerResponse) => void) {
  return ({ body }: SeenRequest, response: ServerResponse) => {
    if (!body) return false
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    play(response)
    return true
  }
}

function textEvents(text: string, chunkChars = 5): string[] {
  const body = { model: 'local', messages: [] }
  return [...streamedAnswer(body, { text, toolCalls: [] }, { chunkChars, hasUsage: false })].slice(
    0,
    -1,
  )
}

const finishEvent =
  'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n'

describe('a server that breaks off', () => {
  it('returns 502 if the connection is reset before the headers', async () => {
    const { chat } = await serveBoth({ intercept: (_, response) => !!response.socket?.destroy() })
    for (const stream of [true, false]) {
      const reply = await send(chat, { body: chatBody('perfect', { stream }) })
      expect(reply.status).toBe(502)
      expect(errorOf(reply).code).toBe('upstream_unreachable')
    }
  })

  it('returns 502 if nobody listens there', async () => {
    const { chat, upstream, server } = await serveBoth()
    server.proxy.reload({
      upstreams: [{ name: 'gone', baseUrl: 'http://127.0.0.1:9/v1' }],
      models: [],
      clientKeys: [],
      heartbeatMs: 1000,
      limits: {
        bodyBytes: 1e6,
        bodiesBytes: 1e7,
        bodyMs: 60_000,
        requestMs: 5000,
        firstByteMs: 5000,
        idleMs: 5000,
        concurrency: 9,
        answerBytes: 1e7,
        heldChars: 1e6,
      },
    })
    const reply = await send(chat, { body: chatBody('perfect') })
    expect(reply.status).toBe(502)
    expect(reply.body).not.toContain('127.0.0.1')
    expect(upstream.requests).toHaveLength(0)
  })

  it.each(['reset', 'end'] as const)(
    'sends an error event after a %s in the middle of a text',
    async how => {
      let breakOff = () => {}
      const { chat } = await serveBoth({
        intercept: streaming(response => {
          for (const event of textEvents('It is sunny in ')) response.write(event)
          breakOff = () => (how === 'end' ? response.end() : response.socket?.resetAndDestroy())
        }),
      })
      const receiving = await begin(chat, { body: chatBody('perfect') })
      await until(() => outcomeOf(receiving.body()).content === 'It is sunny in ')
      breakOff()
      const reply = await receiving.reply
      const outcome = outcomeOf(reply.body)
      expect(reply.isWhole).toBe(true)
      expect(outcome).toMatchObject({
        content: 'It is sunny in ',
        finish: undefined,
        isDone: false,
      })
      expect(outcome.error).toMatch(/^upstream_unrea/)
    },
  )

  it('breaks off too where it only passes an answer through', async () => {
    let breakOff = () => {}
    const { chat } = await serveBoth(
      {
        intercept: streaming(response => {
          response.write(textEvents('Sun').join(''))
          breakOff = () => response.socket?.resetAndDestroy()
        }),
      },
      { rule: { mode: 'off' } },
    )
    const receiving = await begin(chat, { body: chatBody('perfect') })
    await until(() => receiving.body().includes('Sun'))
    breakOff()
    const reply = await receiving.reply
    expect(reply.isWhole).toBe(false)
    expect(reply.body).toContain('Sun')
  })
})

describe('a server that stalls', () => {
  const limits = { firstByteMs: 20_000, idleMs: 5000, requestMs: 600_000 }
  beforeEach(stopClock)

  it.each([true, false])('returns 504 if no headers arrive (stream: %s)', async stream => {
    const { chat, upstream } = await serveBoth({ intercept: () => true }, { limits })
    const sending = send(chat, { body: chatBody('perfect', { stream }) })
    await until(() => upstream.requests.length === 1)
    passTime(limits.firstByteMs)
    const reply = await sending
    expect(reply.status).toBe(504)
    expect(errorOf(reply)).toMatchObject({ type: 'timeout_error', code: 'timeout' })
    expect(upstream.requests).toHaveLength(1)
  })

  it('sends an error event if no token arrives after the headers within the first-byte limit', async () => {
    const { chat } = await serveBoth(
      { intercept: streaming(response => response.flushHeaders()) },
      { limits: { ...limits, idleMs: 60_000 } },
    )
    const receiving = await begin(chat, { body: chatBody('perfect') })
    passTime(limits.firstByteMs)
    const reply = await receiving.reply
    expect(reply.status).toBe(200)
    expect(outcomeOf(reply.body)).toMatchObject({ error: 'timeout', isDone: false, calls: [] })
  })

  it('waits for the first token longer than for the next', async () => {
    let answer = () => {}
    const { chat } = await serveBoth(
      {
        intercept: streaming(response => {
          response.flushHeaders()
          answer = () => response.end(textEvents('late').join('') + finishEvent)
        }),
      },
      { limits },
    )
    const receiving = await begin(chat, { body: chatBody('perfect') })
    passTime(2 * limits.idleMs)
    answer()
    const { body } = await receiving.reply
    expect(outcomeOf(body)).toMatchObject({ content: 'late', error: undefined, isDone: true })
  })

  it.each(['text', callText])(
    'sends an error event if it stalls in the middle of a text or call (%#)',
    async text => {
      const { chat } = await serveBoth(
        {
          intercept: streaming(response => response.write(textEvents(text.slice(0, 60)).join(''))),
        },
        { limits },
      )
      const receiving = await begin(chat, { body: chatBody('perfect') })
      await until(() => receiving.body() !== '')
      const { body } = await passTimeUntil(receiving.reply, limits.idleMs)
      expect(outcomeOf(body)).toMatchObject({ error: 'timeout', finish: undefined, isDone: false })
    },
  )

  it('ends a stream that never does when the time of the request is over', async () => {
    const { chat } = await serveBoth(
      {
        intercept: streaming(response => {
          const timer = setInterval(() => response.write(textEvents('on ').join('')), 20)
          response.on('close', () => clearInterval(timer))
        }),
      },
      { limits: { ...limits, requestMs: limits.idleMs / 2 } },
    )
    const receiving = await begin(chat, { body: chatBody('perfect') })
    await until(() => outcomeOf(receiving.body()).content.includes('on on on'))
    passTime(limits.idleMs / 2)
    const { body } = await receiving.reply
    expect(outcomeOf(body)).toMatchObject({ error: 'timeout', isDone: false })
  })

  it.each([true, false])(
    'ends what is only passed through as well (headers: %s)',
    async hasHeaders => {
      const { chat, upstream } = await serveBoth(
        {
          intercept: hasHeaders
            ? streaming(response => response.write(textEvents('Sun').join('')))
            : () => true,
        },
        { limits, rule: { mode: 'off' } },
      )
      const beginning = begin(chat, { body: chatBody('perfect') })
      await until(() => upstream.requests.length === 1)
      if (hasHeaders) {
        const { body } = await beginning
        await until(() => body().includes('Sun'))
      }
      const ending = beginning.then(({ reply }) => reply)
      const reply = await passTimeUntil(ending, hasHeaders ? limits.idleMs : limits.firstByteMs)
      expect([reply.status, reply.isWhole]).toEqual(hasHeaders ? [200, false] : [504, true])
    },
  )

  it('keeps a stream alive by comments while nothing comes from the model', async () => {
    let answer = () => {}
    const { chat } = await serveBoth(
      {
        intercept: streaming(response => {
          response.write(textEvents('one').join(''))
          answer = () => response.end(textEvents(' two').join('') + finishEvent)
        }),
      },
      { heartbeatMs: 1000 },
    )
    const receiving = await begin(chat, { body: chatBody('perfect') })
    const outcome = () => outcomeOf(receiving.body())
    await until(() => outcome().content === 'one')
    for (let beats = 1; beats <= 3; beats++) {
      // The client must have asked for more before a comment is due.
      await sleep(5)
      await until(() => {
        if (outcome().heartbeats < beats) passTime(1000)
        return outcome().heartbeats >= beats
      })
    }
    answer()
    await receiving.reply
    expect(outcome()).toMatchObject({ content: 'one two', error: undefined, isDone: true })
    expect(outcome().heartbeats).toBeGreaterThanOrEqual(3)
  })
})

describe('a server that sends nonsense', () => {
  it.each([
    ['JSON that is cut', 'data: {"choices":[{"ind\n\n'],
    ['JSON of another form', 'data: {"choices":7}\n\n'],
    ['JSON that is not an object', 'data: 7\n\n'],
    ['an error of its own', 'data: {"error":{"message":"out of memory","code":500}}\n\n'],
    ['HTML', 'data: <html>Bad gateway</html>\n\n'],
  ])('sends an error event after %s', async (_, nonsense) => {
    const { chat } = await serveBoth({
      intercept: streaming(response =>
        response.end(textEvents('Sun').join('') + nonsense + finishEvent),
      ),
    })
    const outcome = outcomeOf((await send(chat, { body: chatBody('perfect') })).body)
    expect(outcome).toMatchObject({ content: 'Sun', finish: undefined, isDone: false })
    expect(outcome.error).toMatch(/^upstream_/)
  })

  it('ignores lines that are not events', async () => {
    const lines = ': a comment\n\nnonsense\nid 7\nretry: x\nevent: strange\n\ndata:\n\n\n\n'
    const { chat } = await serveBoth({
      intercept: streaming(response => response.end(textEvents('Sun').join(lines) + finishEvent)),
    })
    const outcome = outcomeOf((await send(chat, { body: chatBody('perfect') })).body)
    expect(outcome).toMatchObject({ content: 'Sun', finish: 'stop', isDone: true })
  })

  it('writes replacement characters for bytes that are not UTF-8, and joins characters that chunks cut', async () => {
    const whole = Buffer.from(textEvents('ä€😀 end', 20).join(''))
    const { chat } = await serveBoth({
      intercept: streaming(async response => {
        for (const byte of whole) {
          response.write(Buffer.from([byte]))
          await new Promise(setImmediate)
        }
        const broken = Buffer.from(textEvents('?!', 9).join(''))
        broken[broken.indexOf('?')] = 0xff
        response.write(broken)
        response.end(finishEvent)
      }),
    })
    const outcome = outcomeOf((await send(chat, { body: chatBody('perfect') })).body)
    expect(outcome).toMatchObject({ content: 'ä€😀 end\ufffd!', isDone: true })
  })

  it.each(['plain', callText])('takes a line of 10 MB (%#)', async text => {
    const long =
      text === 'plain' ? 'x'.repeat(10_000_000) : text.replace('Berlin', 'B'.repeat(10_000_000))
    const { chat } = await serveBoth(
      {
        intercept: streaming(response =>
          response.end(textEvents(long, 60_000_000).join('') + finishEvent),
        ),
      },
      { limits: { heldChars: 20_000_000 } },
    )
    const outcome = outcomeOf((await send(chat, { body: chatBody('perfect') })).body)
    expect(outcome.isDone).toBe(true)
    if (text === 'plain') expect(outcome.content).toHaveLength(10_000_000)
    else
      expect(JSON.parse(outcome.calls[0]?.arguments ?? '').city).toHaveLength(
        10_000_000 + ' "Mitte"'.length,
      )
  })
})

describe('a server that does not stop', () => {
  const serve = (type: string) =>
    serveBoth(
      {
        intercept: (_, response) => {
          response.writeHead(200, { 'content-type': type })
          response.write('data: {"choices": [{"delta": {"content": "')
          const write = () => {
            while (!response.destroyed && response.write('x'.repeat(10_000)));
          }
          response.on('drain', write)
          write()
          return true
        },
      },
      { limits: { answerBytes: 500_000 } },
    )

  it('is cut off within an event that is too long', async () => {
    const { chat } = await serve('text/event-stream')
    const { body } = await send(chat, { body: chatBody('perfect') })
    expect(outcomeOf(body)).toMatchObject({ content: '', error: 'upstream_too_long' })
  })

  it('is cut off within an answer that is too long', async () => {
    const { chat } = await serve('application/json')
    const reply = await send(chat, { body: chatBody('perfect', { stream: false }) })
    expect(reply.status).toBe(502)
    expect(reply.body).toContain('longer than 500000 bytes')
  })
})

describe('a server that refuses', () => {
  const bodies = {
    json: '{"error":{"message":"no, for a reason","type":"x"}}',
    html: '<html>Sorry</html>',
    empty: '',
  }
  const expected: Record<number, number> = {
    400: 400,
    401: 502,
    404: 404,
    429: 429,
    500: 502,
    503: 502,
  }
  for (const [status, seen] of Object.entries(expected)) {
    it(`returns ${seen} for ${status}, whatever the body`, async () => {
      for (const [kind, body] of Object.entries(bodies)) {
        const { chat } = await serveBoth({
          intercept: (_, response) => {
            const type = kind === 'json' ? 'application/json' : 'text/html'
            response
              .writeHead(Number(status), { 'content-type': type, 'retry-after': '7' })
              .end(body)
            return true
          },
        })
        for (const stream of [true, false]) {
          const reply = await send(chat, { body: chatBody('perfect', { stream }) })
          expect(reply.status).toBe(seen)
          const { code, message } = errorOf(reply)
          expect(code).toMatch(/^upstream_/)
          expect(message).not.toBe('')
          if (kind === 'json' && status !== '401') expect(message).toContain('no, for a reason')
          if (seen === 429) expect(reply.headers['retry-after']).toBe('7')
        }
      }
    })
  }

  it.each([
    ['an empty body', ''],
    ['HTML', '<html>Welcome to your router</html>'],
    ['half of its JSON', '{"choices":[{"message":{"content":"Su'],
    ['JSON of another form', '{"answer":"Sun"}'],
  ])('returns an error for a 200 with %s', async (_, body) => {
    const { chat } = await serveBoth({
      intercept: (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(body)
        return true
      },
    })
    const whole = await send(chat, { body: chatBody('perfect', { stream: false }) })
    expect(whole.status).toBe(502)
    expect(errorOf(whole).code).toMatch(/^upstream_/)
    const streamed = await send(chat, { body: chatBody('perfect') })
    if (streamed.status === 200) {
      expect(outcomeOf(streamed.body)).toMatchObject({
        isDone: false,
        finish: undefined,
        error: expect.any(String),
      })
    } else expect(streamed.status).toBe(502)
  })

  it.each([
    '{"error":"no, for a reason"}',
    '{"detail":"no, for a reason"}',
    '{"object":"error","message":"no, for a reason","code":400}',
  ])('is quoted with its reason, in whatever form: %s', async body => {
    const { chat } = await serveBoth({
      intercept: (_, response) => {
        response.writeHead(400, { 'content-type': 'application/json' }).end(body)
        return true
      },
    })
    const reply = await send(chat, { body: chatBody('perfect') })
    expect([reply.status, errorOf(reply).message]).toEqual([400, 'no, for a reason'])
  })

  it.each([
    ['upstream_error', 'data: {"error":"out of memory"}\n\n'],
    ['upstream_error', 'event: error\ndata: {"message":"out of memory"}\n\n'],
    ['upstream_unreadable', 'data: {nope\n\n'],
    ['upstream_unreadable', 'data: {"choices":[{"index":0,"delta":{"content":5}}]}\n\n'],
    ['upstream_unreadable', '<html>Welcome to your router</html>'],
  ])('ends a stream with the code %s for %j', async (code, events) => {
    const { chat } = await serveBoth({
      intercept: streaming(response => response.end(textEvents('Sun').join('') + events)),
    })
    const { body } = await send(chat, { body: chatBody('perfect') })
    expect(outcomeOf(body)).toMatchObject({ content: 'Sun', error: code, isDone: false })
    if (code === 'upstream_error') expect(body).toContain('failed: out of memory')
  })

  it('passes an answer through as it is, even a refusal', async () => {
    const { chat } = await serveBoth(
      {
        intercept: (_, response) => {
          sendJson(response, 418, { teapot: true })
          return true
        },
      },
      { rule: { mode: 'off' } },
    )
    const reply = await send(chat, { body: chatBody('perfect') })
    expect([reply.status, reply.body]).toEqual([418, '{"teapot":true}'])
  })
})

it.each([
  ['messages', { type: 'image', source: { type: 'base64', media_type: 'video/mp4', data: 'AA' } }],
  ['responses', { type: 'input_file', file_url: 'http://files.example/a.pdf' }],
])('a file that no server takes is an error of the request, in %s', async (path, part) => {
  const { server, upstream } = await serveBoth()
  const list = [{ role: 'user', content: [part] }]
  const body = { model: 'm', max_tokens: 9, messages: list, input: list }
  for (const stream of [true, false]) {
    const reply = await send(`${server.baseUrl}/${path}`, { body: { ...body, stream } })
    expect(reply.status).toBe(400)
    expect(reply.body).toContain('cannot be sent to the server')
  }
  expect(upstream.requests).toEqual([])
})
