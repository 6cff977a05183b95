import type { ModelFormat } from './model-format.js'

/** The format that a model's id suggests: the one whose pattern fits the most of it. */
export function chooseFormat(formats: readonly ModelFormat[], modelId: string): ModelFormat | undefined {
  const id = modelId.toLowerCase()
  let best: ModelFormat | undefined
  let bestChars = 0
  for (const format of formats) {
    const chars = format.models?.exec(id)?.[0].length ?? 0
    if (chars > bestChars) {
      best = format
      bestChars = chars
    }
  }
  return best
}
