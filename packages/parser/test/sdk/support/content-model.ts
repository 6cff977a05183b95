import { chunksOf } from '../../support/chunks.js'
import { type Request, streamOf } from './scripted-model.js'
import type { AnyModel, AnyPart, Data, SdkVersion } from './sdk-versions.js'

/** An answer as the content of a whole one; streamed, it comes as the parts of the same. */
export interface ContentAnswer {
  readonly content: readonly AnyPart[]
  readonly finishReason?: string
  readonly chunkChars?: number
}

export interface ContentModelOptions {
  readonly modelId?: string
  readonly provider?: string
}

/** A model that gives one answer after the other, of any content. */
export function contentModel(
  version: SdkVersion,
  answers: readonly ContentAnswer[],
  options: ContentModelOptions = {},
): { readonly model: AnyModel; readonly requests: readonly Request[] } {
  const requests: Request[] = []
  const nextAnswer = (request: Data): ContentAnswer => {
    const answer = answers[requests.length]
    requests.push(request as Request)
    if (!answer)
      throw new Error(
        `the model was asked ${requests.length} times, but has ${answers.length} answers`,
      )
    return answer
  }
  const settings = {
    ...options,
    async doGenerate(request: Data) {
      const { content, finishReason = 'stop' } = nextAnswer(request)
      return {
        content,
        finishReason: version.finishReason(finishReason),
        usage: version.usage,
        warnings: [],
      }
    },
    async doStream(request: Data) {
      const answer = nextAnswer(request)
      return {
        stream: streamOf(
          streamParts(answer, version.finishReason(answer.finishReason ?? 'stop'), version.usage),
        ),
      }
    },
  }
  return { model: version.createMock(settings), requests }
}

/** The parts in which an answer is streamed. */
export function streamParts(
  answer: ContentAnswer,
  finishReason: unknown,
  usage: unknown = {},
): AnyPart[] {
  const { content, chunkChars = 3 } = answer
  return [
    { type: 'stream-start', warnings: [] },
    ...content.flatMap((part, i) => partsOf(part, i, chunkChars)),
    { type: 'finish', finishReason, usage },
  ]
}

function partsOf(part: AnyPart, index: number, chunkChars: number): AnyPart[] {
  if (part.type === 'text' || part.type === 'reasoning') {
    const id = `${part.type}-${index}`
    const deltas = chunksOf(String(part.text), chunkChars)
    return [
      { type: `${part.type}-start`, id },
      ...deltas.map(delta => ({ type: `${part.type}-delta`, id, delta })),
      { type: `${part.type}-end`, id },
    ]
  }
  if (part.type !== 'tool-call') return [part]
  const { toolCallId: id, toolName, input } = part
  return [
    { type: 'tool-input-start', id, toolName },
    ...chunksOf(String(input), chunkChars).map(delta => ({ type: 'tool-input-delta', id, delta })),
    { type: 'tool-input-end', id },
    part,
  ]
}
