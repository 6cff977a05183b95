import { chunksOf } from '../../support/chunks.js'
import type { AnyModel, AnyPart, Data, SdkVersion } from './sdk-versions.js'

/** What a model says to one request. */
export interface Answer {
  readonly text?: string
  /** In how small pieces the text is streamed. */
  readonly chunkChars?: number
  readonly finishReason?: string
  /**
   * The parts of the stream, in place of those made from `text`; they need a `finish` of their own.
   */
  readonly parts?: readonly AnyPart[]
  /** What the stream fails with behind its parts. */
  readonly error?: Error
}

export interface Message extends Data {
  readonly role: string
  readonly content: string | readonly AnyPart[]
}

/** A request as the model got it. */
export interface Request extends Data {
  readonly prompt: readonly Message[]
  readonly providerOptions?: Record<string, Data>
}

export interface ScriptedModel {
  readonly model: AnyModel
  /** All that was asked of the model, in order. */
  readonly requests: readonly Request[]
}

/** A model that gives one answer after the other, whatever it is asked. */
export function scriptModel(version: SdkVersion, answers: readonly Answer[]): ScriptedModel {
  const requests: Request[] = []
  const nextAnswer = (request: Data): Answer => {
    const answer = answers[requests.length]
    requests.push(request as Request)
    if (!answer)
      throw new Error(
        `the model was asked ${requests.length} times, but has ${answers.length} answers`,
      )
    return answer
  }
  const model = version.createMock({
    async doGenerate(request) {
      const { text = '', finishReason = 'stop' } = nextAnswer(request)
      return {
        content: [{ type: 'text', text }],
        finishReason: version.finishReason(finishReason),
        usage: version.usage,
        warnings: [],
      }
    },
    async doStream(request) {
      const { error, ...answer } = nextAnswer(request)
      return { stream: streamOf(answer.parts ?? partsOfText(version, answer), error) }
    },
  })
  return { model, requests }
}

export function partsOfText(version: SdkVersion, answer: Answer): AnyPart[] {
  const { text = '', chunkChars = 3, finishReason = 'stop' } = answer
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id: 't1' },
    ...chunksOf(text, chunkChars).map(delta => ({ type: 'text-delta', id: 't1', delta })),
    { type: 'text-end', id: 't1' },
    finishPart(version, finishReason),
  ]
}

function finishPart(version: SdkVersion, reason = 'stop'): AnyPart {
  return { type: 'finish', finishReason: version.finishReason(reason), usage: version.usage }
}

/** A stream of these parts, one each time it is asked, that then ends or fails. */
export function streamOf(parts: readonly AnyPart[], error?: Error): ReadableStream<AnyPart> {
  let at = 0
  return new ReadableStream<AnyPart>(
    {
      pull(controller) {
        const part = parts[at++]
        if (part) controller.enqueue(part)
        else if (error) controller.error(error)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
