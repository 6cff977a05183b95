import { createToolCallStream, renderCalls, renderResults, renderTools } from '@toolglot/parser'

/**
 * @typedef {object} Tool
 * @property {string} description
 * @property {object} inputSchema A JSON Schema.
 * @property {(input: any) => unknown} execute
 *
 * @typedef {object} Settings
 * @property {string} baseURL Of an OpenAI-compatible endpoint.
 * @property {string} model
 * @property {string} [apiKey]
 * @property {Record<string, Tool>} tools
 */

/**
 * Asks, runs the tools that the model calls, shows it their results, and asks again, until an answer
 * contains no call. Needs nothing but `fetch` and web streams.
 *
 * @param {Settings} settings
 * @param {string} question
 */
export async function* runAgent(settings, question) {
  const options = { tools: settings.tools, modelId: settings.model }
  const messages = [
    { role: 'system', content: renderTools(options) },
    { role: 'user', content: question },
  ]
  for (let step = 0; step < 10; step++) {
    let text = ''
    /** @type {import('@toolglot/parser').ParsedToolCall[]} */
    const calls = []
    for await (const event of await ask(settings, options, messages)) {
      if (event.type === 'text') text += event.text
      if (event.type === 'call-end') calls.push(event.call)
      yield event
    }
    if (calls.length === 0) return
    const results = []
    for (const call of calls) {
      const result = await runCall(call, settings.tools)
      results.push(result)
      yield { type: /** @type {const} */ ('result'), result }
    }
    messages.push({ role: 'assistant', content: `${text}\n${renderCalls(calls, options)}`.trim() })
    messages.push({ role: 'user', content: renderResults(results, options) })
  }
}

/**
 * @param {Settings} settings
 * @param {import('@toolglot/parser').ToolCallStreamOptions} options
 * @param {object[]} messages
 */
async function ask({ baseURL, model, apiKey }, options, messages) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(apiKey && { authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, stream: true }),
  })
  if (!response.ok || !response.body) {
    throw new Error(`the server answered ${response.status}: ${await response.text()}`)
  }
  /** @type {unknown} */
  let finishReason
  return response.body
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(readDeltas(reason => (finishReason = reason)))
    .pipeThrough(createToolCallStream({ ...options, isCut: () => finishReason === 'length' }))
}

/**
 * Runs a call. The model is told what was wrong with one that does not run.
 *
 * @param {import('@toolglot/parser').ParsedToolCall} call
 * @param {Record<string, Tool>} tools
 * @returns {Promise<import('@toolglot/parser').ParsedToolCall & { output?: unknown, isError?: boolean }>}
 */
async function runCall(call, tools) {
  if (call.problem) return call
  const tool = tools[call.toolName]
  if (!tool) return { ...call, output: `There is no tool ${call.toolName}.`, isError: true }
  try {
    return { ...call, output: await tool.execute(JSON.parse(call.input)) }
  } catch (error) {
    return { ...call, output: String(error), isError: true }
  }
}

/**
 * `data: {"choices": [{"delta": {"content": "It is"}}]}`: takes the text out of the server's events.
 *
 * @param {(reason: string) => void} onFinish
 * @returns {TransformStream<string, string>}
 */
function readDeltas(onFinish) {
  let rest = ''
  return new TransformStream({
    transform(chunk, controller) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) {
        const data = /^data: ?(\{.*)/.exec(line)?.[1]
        const [choice] = data === undefined ? [] : JSON.parse(data).choices
        if (choice?.delta?.content) controller.enqueue(choice.delta.content)
        if (choice?.finish_reason) onFinish(choice.finish_reason)
      }
    },
  })
}
