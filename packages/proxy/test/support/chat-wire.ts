import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { ScriptedTurn } from './scripted-manners.js'

export const chatRequest = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content: z.unknown() })),
  tools: z.array(z.unknown()).optional(),
  stream: z.boolean().optional(),
})
export type ChatRequest = z.infer<typeof chatRequest>

export interface WireOptions {
  /** The stream ends with what it has cost. */
  readonly hasUsage?: boolean | undefined
  /** Of a piece of the stream. */
  readonly chunkChars?: number | undefined
  /** Between two pieces. */
  readonly delayMs?: number | undefined
}

/** Answers as a server for OpenAI's chat completions does, as a stream where that is asked for. */
export async function answerChat(
  response: ServerResponse,
  body: ChatRequest,
  turn: ScriptedTurn,
  options: WireOptions = {},
): Promise<void> {
  const { hasUsage = true, delayMs } = options
  if (!body.stream) {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(wholeAnswer(body, turn, hasUsage)))
    return
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of streamedAnswer(body, turn, options)) {
    if (delayMs !== undefined) await sleep(delayMs)
    if (response.destroyed) return
    response.write(event)
  }
  response.end('data: [DONE]\n\n')
}

export function wholeAnswer(body: ChatRequest, turn: ScriptedTurn, hasUsage = true): unknown {
  const calls = callsOf(body, turn)
  const message = {
    role: 'assistant',
    content: turn.text,
    ...(turn.reasoning === undefined ? {} : { reasoning_content: turn.reasoning }),
    ...(calls.length ? { tool_calls: calls } : {}),
  }
  return {
    ...{ id: idOf(body), object: 'chat.completion', created: 1, model: body.model },
    choices: [{ index: 0, message, finish_reason: calls.length ? 'tool_calls' : 'stop' }],
    ...(hasUsage ? { usage: usageOf(body, turn) } : {}),
  }
}

/** The events of a stream, but for the word that it is over. */
export function* streamedAnswer(
  body: ChatRequest,
  turn: ScriptedTurn,
  { hasUsage = true, chunkChars = 7 }: WireOptions = {},
): Generator<string> {
  const base = { id: idOf(body), object: 'chat.completion.chunk', created: 1, model: body.model }
  let role: object = { role: 'assistant' }
  const chunk = (more: object, reason: string | null = null) => {
    const delta = { ...role, ...more }
    role = {}
    return `data: ${JSON.stringify({ ...base, choices: [{ index: 0, delta, finish_reason: reason }] })}\n\n`
  }
  const calls = callsOf(body, turn)
  for (const piece of piecesOf(turn.reasoning ?? '', chunkChars))
    yield chunk({ reasoning_content: piece })
  for (const piece of piecesOf(turn.text, chunkChars)) yield chunk({ content: piece })
  for (const call of calls) {
    const { name, arguments: args } = call.function
    yield chunk({ tool_calls: [{ ...call, function: { name, arguments: '' } }] })
    for (const piece of piecesOf(args, chunkChars)) {
      yield chunk({ tool_calls: [{ index: call.index, function: { arguments: piece } }] })
    }
  }
  yield chunk({}, calls.length ? 'tool_calls' : 'stop')
  if (hasUsage)
    yield `data: ${JSON.stringify({ ...base, choices: [], usage: usageOf(body, turn) })}\n\n`
}

/** Pieces of so many characters; none is cut in two. */
export function piecesOf(text: string, chars: number): string[] {
  if (text.length <= chars) return text === '' ? [] : [text]
  return text.match(new RegExp(`.{1,${chars}}`, 'gsu')) ?? []
}

/** Another one for each turn: some clients know a message by it. */
function idOf({ messages }: ChatRequest): string {
  return `chat-${messages.length}`
}

function callsOf({ messages }: ChatRequest, { toolCalls }: ScriptedTurn) {
  return toolCalls.map((call, index) => ({
    index,
    // Another one for each turn too: the OpenAI Agents SDK refuses an id that comes again.
    id: `call_${messages.length}_${index}`,
    type: 'function',
    function: call,
  }))
}

function usageOf(body: ChatRequest, turn: ScriptedTurn) {
  const prompt = countTokens(JSON.stringify(body))
  const completion = countTokens(JSON.stringify(turn))
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion }
}

const countTokens = (text: string) => Math.ceil(text.length / 4)
