import { hasId, isReasoningContent, isTextContent, type Part } from './parts.js'

/** Whole content as the stream that would have brought it. The ids of its texts are their places. */
export function streamOf(content: readonly Part[]): Part[] {
  return content.flatMap((part, i) => {
    if (!isTextContent(part) && !isReasoningContent(part)) return [part]
    const { type, text } = part
    const id = String(i)
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ]
  })
}

/** What the parts of a stream are as a whole. What came of a text among the origins, by its id, keeps what else that carried. */
export function contentOf(parts: readonly Part[], origins: readonly Part[] = []): Part[] {
  let texts: string[] = []
  return parts.flatMap(part => {
    const [, type, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (!type) return part.type === 'finish' ? [] : [part]
    if (step === 'start') texts = []
    if ('delta' in part) texts.push(String(part.delta))
    if (step !== 'end' || type === 'tool-input' || !hasId(part)) return []
    const origin = origins[Number.parseInt(part.id, 10)]
    const whole = { ...(origin?.type === type ? origin : undefined), type, text: texts.join('') }
    return [origin && 'text' in origin && origin.type === type && origin.text === whole.text ? origin : whole]
  })
}
