const CHUNK_CHARS = 3

const finishReason = { unified: 'stop', raw: 'stop' }
const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
}

/**
 * A language model (AI SDK 6) that always writes the same text. In a stream it writes a few
 * characters at a time.
 */
export function createFakeModel(text: string) {
  return {
    specificationVersion: 'v3',
    provider: 'fake',
    modelId: 'fake',
    supportedUrls: {},
    doGenerate: async () => ({
      content: [{ type: 'text', text }],
      finishReason,
      usage,
      warnings: [],
    }),
    doStream: async () => ({ stream: streamOf(createParts(text)) }),
  }
}

function createParts(text: string): readonly object[] {
  const id = 'text-1'
  // Split by code points, as providers do: half a character is not text.
  const chars = [...text]
  const deltas = Array.from({ length: Math.ceil(chars.length / CHUNK_CHARS) }, (_, i) => ({
    type: 'text-delta',
    id,
    delta: chars.slice(i * CHUNK_CHARS, (i + 1) * CHUNK_CHARS).join(''),
  }))
  return [
    { type: 'stream-start', warnings: [] },
    { type: 'text-start', id },
    ...deltas,
    { type: 'text-end', id },
    { type: 'finish', finishReason, usage },
  ]
}

function streamOf(parts: readonly object[]): ReadableStream<object> {
  let i = 0
  return new ReadableStream({
    pull(controller) {
      const part = parts[i++]
      if (part) controller.enqueue(part)
      else controller.close()
    },
  })
}
