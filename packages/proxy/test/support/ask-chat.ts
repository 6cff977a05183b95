export interface AskOptions {
  readonly model?: string
  readonly stream?: boolean
  readonly key?: string
  readonly text?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Asks a server for a chat, as any client might. */
export function askChat(origin: string, options: AskOptions = {}): Promise<Response> {
  const { model = 'plain', stream = false, key, text = 'Hello.', headers } = options
  return fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...headers,
    },
    body: JSON.stringify({ model, stream, messages: [{ role: 'user', content: text }] }),
  })
}

/** The text of a stream of chat chunks. */
export function textOfStream(body: string): string {
  return body
    .split('\n')
    .filter(line => line.startsWith('data: {'))
    .map(line => JSON.parse(line.slice(6)).choices?.[0]?.delta?.content ?? '')
    .join('')
}
