import type { Part } from '../sdk/parts.js'

/**
 * Turns whole content into the parts of the stream that would have brought it. The id of a text is
 * its index in the content.
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

/** `text-delta`: the step `delta` of a `text`. */
const stepOfPart = /^(text|reasoning|tool-input|stream)-(start|delta|end)$/

/**
 * Turns the parts of a stream into whole content. `origins` is the content that the stream was made
 * of by `streamOf`: a text with the id of an origin keeps the other fields of that origin.
 */
export function contentOf(parts: readonly Part[], origins: readonly Part[] = []): Part[] {
  let text = ''
  return parts.flatMap(part => {
    const [, type, step] = stepOfPart.exec(part.type) ?? []
    // A tool call, a file, a source: they are whole already.
    if (!type) return part.type === 'finish' ? [] : [part]
    text = step === 'start' ? '' : text + (part.delta ?? '')
    if (step !== 'end' || type === 'tool-input') return []
    return [wholePart(type, text, origins[Number.parseInt(part.id ?? '', 10)])]
  })
}

function wholePart(type: string, text: string, origin: Part | undefined): Part {
  if (origin?.type !== type) return { type, text }
  return origin.text === text ? origin : { ...origin, text }
}
