import type { UpstreamOptions } from '../support/scripted-upstream.js'

type Intercept = NonNullable<UpstreamOptions['intercept']>

const half = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Ro'
const chunk = (delta: object, finish_reason: string | null = null) =>
  `data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta, finish_reason }] })}\n\n`

/** The server goes away in the middle of a call. */
export const dieInCall: Intercept = (_, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(chunk({ content: half }), () => setTimeout(() => response.destroy(), 50))
  return true
}

/** The limit of tokens is met in the middle of a call. */
export const cutByLimit: Intercept = (request, response) => {
  const isStream = request.body?.stream === true
  response.writeHead(200, { 'content-type': isStream ? 'text/event-stream' : 'application/json' })
  if (isStream) response.end(`${chunk({ content: half })}${chunk({}, 'length')}data: [DONE]\n\n`)
  else {
    const message = { role: 'assistant', content: half }
    response.end(
      JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: 'length' }] }),
    )
  }
  return true
}
