import { responsesDialect } from '../dialects/responses.js'
import { admitRequest, takeSlot } from '../http/admit-request.js'
import { badRequest, HttpError } from '../http/http-error.js'
import { endWithError, serveRequest } from '../http/serve-request.js'
import { trackRequest } from '../http/track-request.js'
import type { ProxyState } from '../proxy-state.js'
import type { ClientResponses } from './client-responses.js'
import { openResponses } from './open-responses.js'
import { findResponse, quote, recallItems } from './recall.js'
import { stemOf } from './response-ids.js'
import type { Item } from './stored-response.js'

/** `GET` and `DELETE /v1/responses/{id}`, and `GET /v1/responses/{id}/input_items`. */
export async function serveStored(
  state: ProxyState,
  request: Request,
  id: string,
  part: 'response' | 'input_items' = 'response',
): Promise<Response> {
  // An id of another form comes from a server that has this API.
  const isForeign = stemOf(id) === undefined
  if (isForeign && state.config.models.some(({ mode }) => mode === 'off'))
    return serveRequest(state, request)
  const route = part === 'response' ? '/v1/responses/{id}' : '/v1/responses/{id}/input_items'
  const tracked = trackRequest(state, request, route)
  try {
    await admitRequest(state, request.headers, tracked)
    takeSlot(state, tracked)
    const responses = await openResponses(state, request.headers, tracked)
    const maxChars = tracked.config.limits.bodyBytes
    const value = await answerStored(request, { id, part, responses, maxChars })
    tracked.end(200)
    return Response.json(value)
  } catch (error) {
    return endWithError(tracked, error, responsesDialect)
  }
}

interface AskedResponse {
  readonly id: string
  readonly part: 'response' | 'input_items'
  /** Undefined if nothing is stored. */
  readonly responses: ClientResponses | undefined
  /** As for `recall`. */
  readonly maxChars: number
}

async function answerStored(
  { method, url }: Request,
  { id, part, responses, maxChars }: AskedResponse,
): Promise<unknown> {
  const stored = responses && (await findResponse(id, responses))
  if (!responses || !stored) throw notFound(id, responses !== undefined)
  const { searchParams } = new URL(url)
  if (part === 'input_items')
    return listItems(await recallItems(stored.input, responses, maxChars), searchParams)
  if (method === 'DELETE') {
    await responses.remove(stemOf(id) ?? '')
    return { id, object: 'response', deleted: true }
  }
  if (searchParams.get('stream') === 'true')
    throw badRequest('stream', 'must be false: a stored response is not streamed again.')
  return stored.response
}

const DEFAULT_ITEMS = 20
const MAX_ITEMS = 100

/** One page of the items that the request brought; the last one first, as in OpenAI's API. */
function listItems(items: readonly Item[], query: URLSearchParams): unknown {
  const limit = Number(query.get('limit') ?? DEFAULT_ITEMS)
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_ITEMS)
    throw badRequest('limit', `must be a whole number from 1 to ${MAX_ITEMS}.`)
  const sorted = query.get('order') === 'asc' ? items : [...items].reverse()
  const after = query.get('after')
  const start = after === null ? 0 : sorted.findIndex(item => item.id === after) + 1
  if (after !== null && start === 0) throw badRequest('after', 'is not the id of an item here.')
  const data = sorted.slice(start, start + limit)
  return {
    object: 'list',
    data,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
    has_more: start + limit < sorted.length,
  }
}

function notFound(id: string, hasStore: boolean): HttpError {
  // The first sentence is OpenAI's.
  const reason = hasStore
    ? 'It has expired, or it was not stored for this key.'
    : 'The proxy stores nothing.'
  return new HttpError(404, `Response with id ${quote(id)} not found. ${reason}`, {
    type: 'invalid_request_error',
  })
}
