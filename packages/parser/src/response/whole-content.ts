import type { Part } from '../sdk/parts.js'

/**
 * Whole content as the stream that would have brought it. The ids of its texts are their places.
 */
export function streamOf(content: readonly Part[]): Part[] {
  return content.flatMap((part, i) => {
    const { type, text } = part
    if (text === undefined || (type !== 'text' && type !== 'reasoning')) return [part]
    const id = String(i)
    return [
      { type: `${type}-start`, id },
      { type: `${type}-delta`, id, delta: text },
      { type: `${type}-end`, id },
    ]
  })
}

/**
 * What the parts of a stream are as a whole. What came of a text among the origins, by its id,
 * keeps what else that carried.
 */
export function contentOf(parts: readonly Part[], origins: readonly Part[] = []): Part[] {
  let text = ''
  return parts.flatMap(part => {
    const [, type, step] =
      /^(text|reasoning|tool-input|stream)-(start|delta|end)$/.exec(part.type) ?? []
    if (!type) return part.type === 'finish' ? [] : [part]
    text = step === 'start' ? '' : text + (part.delta ?? '')
    const origin = origins[Number.parseInt(part.id ?? '', 10)]
    if (step !== 'end' || type === 'tool-input') return []
    if (origin?.type !== type) return [{ type, text }]
    return [origin.text === text ? origin : { ...origin, text }]
  })
}
