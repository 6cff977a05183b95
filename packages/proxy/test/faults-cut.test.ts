import { describe, expect, it } from 'vitest'
import { chatBody, outcomeOf, send } from './support/raw-client.js'
import { writeCalls } from './support/scripted-manners.js'
import type { SeenRequest } from './support/scripted-upstream.js'
import { serveBoth } from './support/serve-both.js'

const endings = {
  reset: undefined,
  end: '',
  length: 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\ndata: [DONE]\n\n',
}

const callArgs = { city: 'B "M"', days: 3 }
/** A broken connection costs the most time, and is the same to all protocols. */
const cases = [
  ...(['reset', 'end', 'length'] as const).map(name => ['hermes', name] as const),
  ...(['end', 'length'] as const).flatMap(name => [
    ['mistral', name] as const,
    ['qwen3_coder', name] as const,
  ]),
]

/** How much of the text shall come is what the user says. */
function cutOf({ body }: SeenRequest): number {
  return Number(body?.messages.findLast(({ role }) => role === 'user')?.content ?? 0)
}

describe('a server that is gone in any state of a call', () => {
  for (const [protocol, name] of cases) {
    const ending = endings[name]
    const text = writeCalls([{ name: 'get_weather', args: callArgs }], protocol)
    it(`never makes a whole call of a half one: ${protocol}, ${name}`, async () => {
      const { chat } = await serveBoth(
        {
          intercept(request, response) {
            const delta = { content: text.slice(0, cutOf(request)) }
            response.writeHead(200, { 'content-type': 'text/event-stream' })
            response.write(
              `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
            )
            if (ending === undefined) setImmediate(() => response.socket?.resetAndDestroy())
            else response.end(ending)
            return true
          },
        },
        { rule: { protocol } },
      )
      for (let cut = 1; cut <= text.length; cut++) {
        const messages = [{ role: 'user', content: String(cut) }]
        const reply = await send(chat, { body: chatBody('local', { messages }) })
        const outcome = outcomeOf(reply.body)
        const where = JSON.stringify([text.slice(0, cut), outcome])
        if (name !== 'length') {
          // Before the first byte it can still be a status.
          if (reply.status !== 200) expect(reply.status, where).toBe(502)
          else
            expect(outcome, where).toMatchObject({
              error: expect.stringMatching(/^upstream_unrea/),
              finish: undefined,
              isDone: false,
            })
        } else if (outcome.finish === 'tool_calls') {
          expect(
            outcome.calls.map(call => JSON.parse(call.arguments)),
            where,
          ).toEqual([callArgs])
        } else expect(outcome, where).toMatchObject({ finish: 'length', isDone: true })
      }
    })
  }
})
