import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { createToolMiddleware } from '@toolglot/parser'
import {
  generateText,
  type LanguageModel,
  type ModelMessage,
  type StepResult,
  stepCountIs,
  streamText,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import { placementOf, protocolOf } from './ablations.js'
import { messageOf } from './json.js'
import type { RunConfig } from './options.js'
import type { CallRecord } from './record.js'
import type { Fetch } from './retrying-fetch.js'
import type { Row } from './rows.js'
import type { TaskMessage } from './task.js'

export interface LoopOptions {
  readonly config: RunConfig
  readonly row: Row
  readonly rep: number
  readonly messages: readonly TaskMessage[]
  readonly tools: ToolSet
  readonly maxSteps: number
  readonly apiKey: string | undefined
  readonly fetch: Fetch
  readonly signal: AbortSignal
}

/** The events of the loop so far. It is filled while the loop runs, so that a failure loses nothing. */
export interface LoopLog {
  readonly calls: CallRecord[]
  readonly problems: { code: string; message: string }[]
  steps: number
  /** Text of the last step. */
  text: string
  finishReason: string
}

export function createLoopLog(): LoopLog {
  return { calls: [], problems: [], steps: 0, text: '', finishReason: '' }
}

/** Runs one conversation on the endpoint, as an application would with the AI SDK. */
export async function runLoop(options: LoopOptions, log: LoopLog): Promise<void> {
  const { config, rep, tools, maxSteps, signal } = options
  const settings = {
    model: createModel(options, log),
    ...toPrompt(options.messages, config.system),
    tools,
    toolChoice: config.toolChoice,
    // If every step had to call a tool, the loop could not end.
    prepareStep: ({ stepNumber }: { stepNumber: number }) =>
      stepNumber > 0 && config.toolChoice === 'required' ? { toolChoice: 'auto' as const } : {},
    stopWhen: stepCountIs(maxSteps),
    // The same seed would produce the same answer in every repetition.
    seed: config.seed + rep,
    ...(config.temperature === undefined ? {} : { temperature: config.temperature }),
    ...(config.maxOutputTokens === undefined ? {} : { maxOutputTokens: config.maxOutputTokens }),
    // `fetch` already retries.
    maxRetries: 0,
    abortSignal: signal,
    onStepFinish: (step: StepResult<ToolSet>) => logStep(step, log),
  }
  if (!config.isStreaming) {
    await generateText(settings)
    return
  }
  const { fullStream } = streamText({ ...settings, onError: () => {} })
  for await (const part of fullStream) if (part.type === 'error') throw part.error
}

function createModel({ config, row, apiKey, fetch }: LoopOptions, log: LoopLog): LanguageModel {
  const endpoint = createOpenAICompatible({
    name: 'endpoint',
    baseURL: row.baseUrl,
    includeUsage: true,
    fetch,
    ...(apiKey ? { apiKey } : {}),
  })
  const model = endpoint(row.model)
  if (row.protocol === 'native') return model
  const middleware = createToolMiddleware({
    protocol: protocolOf(row),
    placement: placementOf(row, config.placement),
    onError: (message, { code }) => log.problems.push({ code, message }),
  })
  return wrapLanguageModel({ model, middleware })
}

function toPrompt(
  messages: readonly TaskMessage[],
  system: string,
): { system?: string; messages: ModelMessage[] } {
  const systems = [
    system,
    ...messages.filter(({ role }) => role === 'system').map(({ content }) => content),
  ]
  const text = systems.filter(Boolean).join('\n\n')
  const rest = messages.flatMap(({ role, content }): ModelMessage[] =>
    role === 'system' ? [] : [{ role, content }],
  )
  return { ...(text ? { system: text } : {}), messages: rest }
}

function logStep({ content, text, finishReason }: StepResult<ToolSet>, log: LoopLog): void {
  const failures = new Map(
    content.flatMap(part =>
      part.type === 'tool-error' ? [[part.toolCallId, messageOf(part.error)] as const] : [],
    ),
  )
  log.steps++
  log.text = text
  log.finishReason = finishReason
  for (const part of content) {
    if (part.type !== 'tool-call') continue
    const failure = failures.get(part.toolCallId)
    log.calls.push({
      step: log.steps,
      name: part.toolName,
      args: part.input,
      ...(part.invalid ? { invalid: messageOf(part.error) } : {}),
      ...(part.invalid || failure === undefined ? {} : { failure }),
    })
  }
}
