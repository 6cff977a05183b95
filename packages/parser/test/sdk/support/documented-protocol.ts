import type { Part, ToolCallProtocol } from '@toolglot/parser'

const callPattern = /^call (\w+): (.*)$/

/**
 * A protocol as someone writes it who knows only the documented interface: the five methods, and
 * calls without ids. One line a call, `call get_weather: city=Paris; days=3`, all values as text.
 */
export const documentedProtocol: ToolCallProtocol = {
  formatTools({ tools, toolSystemPromptTemplate }) {
    return toolSystemPromptTemplate(
      tools.map(tool => `${tool.name} ${JSON.stringify(tool.inputSchema)}`).join('\n'),
    )
  },
  formatToolCall({ toolName, input }) {
    const pairs = Object.entries(Object(input)).map(([key, value]) => `${key}=${value}`)
    return `call ${toolName}: ${pairs.join('; ')}`
  },
  formatToolResponse({ toolName, output }) {
    return `result of ${toolName}: ${JSON.stringify(output)}`
  },
  parseGeneratedText({ text, tools, options }) {
    return text.split('\n').map(line => {
      const [, toolName, pairs] = callPattern.exec(line) ?? []
      if (toolName === undefined || pairs === undefined) return { type: 'text', text: line }
      if (!tools.some(tool => tool.name === toolName))
        options.onError(`there is no tool ${toolName}`)
      if (!pairs.includes('=')) options.onError('no pairs', { line, code: 'no-pairs' })
      return { type: 'tool-call', toolName, input: readPairs(pairs) }
    })
  },
  createStreamParser({ tools, options }) {
    let text = ''
    return new TransformStream({
      transform(part, controller) {
        if (part.type === 'text-delta') text += part.delta
        else if (part.type === 'text-end') {
          for (const each of documentedProtocol.parseGeneratedText({ text, tools, options })) {
            if (each.type === 'text')
              controller.enqueue({ type: 'text-delta', id: part.id, delta: each.text })
            else controller.enqueue(each)
          }
          controller.enqueue(part)
        } else controller.enqueue(part)
      },
    })
  },
}

const readPairs = (pairs: string) =>
  Object.fromEntries(
    pairs.split('; ').flatMap(pair => (pair.includes('=') ? [pair.split('=')] : [])),
  )

/**
 * The same, but the input of a call is streamed, as JSON in small pieces; with the ids that the
 * function makes.
 */
export function streamingProtocol(idOf: (count: number) => string | undefined): ToolCallProtocol {
  return {
    ...documentedProtocol,
    createStreamParser(context) {
      let count = 0
      const stream = documentedProtocol.createStreamParser(context)
      const streamInput = new TransformStream<Part, Part>({
        transform(part, controller) {
          if (part.type !== 'tool-call') return controller.enqueue(part)
          const id = idOf(count++)
          const json = JSON.stringify(part.input)
          controller.enqueue({ type: 'tool-input-start', id, toolName: part.toolName })
          for (const delta of json.match(/.{1,3}/gs) ?? [])
            controller.enqueue({ type: 'tool-input-delta', id, delta })
          controller.enqueue({ type: 'tool-input-end', id })
          controller.enqueue({ ...part, ...(id !== undefined && { toolCallId: id }) })
        },
      })
      return { writable: stream.writable, readable: stream.readable.pipeThrough(streamInput) }
    },
  }
}
