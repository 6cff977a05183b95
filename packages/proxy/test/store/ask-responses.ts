import { z } from 'zod'
import { errorOf, type Reply, send } from '../support/raw-client.js'

const item = z.looseObject({ type: z.string(), id: z.string() })
const response = z.looseObject({
  id: z.string(),
  status: z.string(),
  store: z.boolean(),
  output: z.array(item),
  previous_response_id: z.string().nullable(),
})
const page = z.object({
  object: z.literal('list'),
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
})

/** A client of `/v1/responses` that checks what it gets. */
export function responsesClient(baseUrl: string, key?: string) {
  const ask = (path: string, method: string, body?: object) =>
    send(`${baseUrl}/responses${path}`, {
      ...{ method, body },
      headers: key === undefined ? {} : { authorization: `Bearer ${key}` },
    })
  const ok = ({ status, body }: Reply): unknown => {
    if (status !== 200) throw new Error(`${status} ${body}`)
    return JSON.parse(body)
  }
  const failed = (reply: Reply) => ({ status: reply.status, ...errorOf(reply) })
  const asked = (input: unknown, more: object) => ({ model: 'plain', input, ...more })
  return {
    create: async (input: unknown, more: object = {}) =>
      response.parse(ok(await ask('', 'POST', asked(input, more)))),
    /** Returns the last response of a stream. */
    async stream(input: unknown, more: object = {}) {
      const { body } = await ask('', 'POST', asked(input, { stream: true, ...more }))
      const last = body.trim().split('\n\n').at(-1) ?? ''
      const data: unknown = JSON.parse(/^data: (.*)$/m.exec(last)?.[1] ?? '')
      return z.object({ type: z.string(), response }).parse(data).response
    },
    refused: async (input: unknown, more: object = {}) =>
      failed(await ask('', 'POST', asked(input, more))),
    get: async (id: string) => response.parse(ok(await ask(`/${id}`, 'GET'))),
    getRefused: async (id: string) => failed(await ask(`/${encodeURIComponent(id)}`, 'GET')),
    items: async (id: string, query = '') =>
      page.parse(ok(await ask(`/${id}/input_items${query}`, 'GET'))),
    itemsRefused: async (id: string, query = '') =>
      failed(await ask(`/${id}/input_items${query}`, 'GET')),
    remove: async (id: string) => ok(await ask(`/${id}`, 'DELETE')),
    removeRefused: async (id: string) => failed(await ask(`/${id}`, 'DELETE')),
  }
}

export const reference = (id: string | undefined) => ({ type: 'item_reference', id })
export const user = (text: string) => ({ role: 'user', content: text })
