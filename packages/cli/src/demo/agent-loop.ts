import { createToolMiddleware, type ProtocolLike } from '@toolglot/parser'
import {
  type LanguageModelMiddleware,
  stepCountIs,
  streamText,
  type TextStreamPart,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import type { DemoEvent, OnDemoEvent } from './demo-event.js'
import type { LanguageModelV3, StreamPart } from './sdk-types.js'

export interface AgentLoopOptions {
  readonly model: LanguageModelV3
  readonly protocol: ProtocolLike
  readonly tools: ToolSet
  readonly prompt: string
  readonly maxSteps: number
  readonly onEvent: OnDemoEvent
}

/** Runs an ordinary agent loop of the AI SDK. Rejects if the model cannot be reached. */
export async function runAgentLoop({
  model,
  protocol,
  tools,
  prompt,
  maxSteps,
  onEvent,
}: AgentLoopOptions): Promise<void> {
  const order = createStepOrder(onEvent)
  const middleware = createToolMiddleware({
    protocol,
    onError: (message, { code }) => order.fromModel({ type: 'problem', code, message }),
  })
  const listen = listenToModel({
    onStart: order.beginModelStep,
    onText: text => order.fromModel({ type: 'raw', text }),
  })
  const { fullStream } = streamText({
    // The first middleware is the outermost: `listen` gets the model's text before ours.
    model: wrapLanguageModel({ model, middleware: [middleware, listen] }),
    tools,
    prompt,
    stopWhen: stepCountIs(maxSteps),
    // The demo reports at once that an endpoint is down.
    maxRetries: 0,
    // Errors are also parts of the stream; the default handler would print them.
    onError: () => {},
  })
  const read = createPartReader(order)
  try {
    for await (const part of fullStream) read(part)
  } finally {
    // Show the parts of a step that failed.
    order.endStep()
  }
}

/** A middleware that reports the model's text before any other middleware changes it. */
function listenToModel({
  onStart,
  onText,
}: {
  onStart: () => void
  onText: (text: string) => void
}): LanguageModelMiddleware {
  return {
    specificationVersion: 'v3',
    wrapStream: async ({ doStream }) => {
      const result = await doStream()
      onStart()
      const tap = new TransformStream<StreamPart, StreamPart>({
        transform(part, controller) {
          if (part.type === 'text-delta' || part.type === 'reasoning-delta') onText(part.delta)
          controller.enqueue(part)
        },
      })
      return { ...result, stream: result.stream.pipeThrough(tap) }
    },
  }
}

interface StepOrder {
  beginModelStep(): void
  /** Passes on an event of the model. */
  fromModel(event: DemoEvent): void
  beginStep(): void
  /** Does nothing between steps. */
  endStep(): void
  /** Passes on an event of the loop. */
  fromLoop(event: DemoEvent): void
  step(): number
}

/**
 * Puts events in the order of steps. The model may be ahead of the loop's reader: its next step can
 * begin before the last parts of a step are read. Its events then wait for the reader.
 */
function createStepOrder(onEvent: OnDemoEvent): StepOrder {
  let modelStep = 0
  let step = 0
  let isInStep = false
  const early = new Map<number, DemoEvent[]>()
  return {
    beginModelStep() {
      modelStep++
    },
    fromModel(event) {
      if (modelStep === step && isInStep) onEvent(event)
      else early.set(modelStep, [...(early.get(modelStep) ?? []), event])
    },
    beginStep() {
      step++
      isInStep = true
      onEvent({ type: 'step-start', step })
      for (const event of early.get(step) ?? []) onEvent(event)
      early.delete(step)
    },
    endStep() {
      if (isInStep) onEvent({ type: 'step-end', step })
      isInStep = false
    },
    fromLoop: onEvent,
    step: () => step,
  }
}

/** Turns the parts of the SDK's stream into events. */
function createPartReader(order: StepOrder): (part: TextStreamPart<ToolSet>) => void {
  const deltas = new Map<string, string[]>()
  return part => {
    const step = order.step()
    switch (part.type) {
      case 'start-step':
        return order.beginStep()
      case 'text-delta':
        return order.fromLoop({ type: 'text', text: part.text })
      case 'tool-input-start':
        deltas.set(part.id, [])
        return order.fromLoop({ type: 'input-start', toolName: part.toolName })
      case 'tool-input-delta':
        deltas.get(part.id)?.push(part.delta)
        return order.fromLoop({ type: 'input-delta', delta: part.delta })
      case 'tool-call':
        return order.fromLoop({
          type: 'call',
          step,
          toolName: part.toolName,
          input: part.input,
          deltas: deltas.get(part.toolCallId) ?? [],
          invalid: part.invalid ? messageOf(part.error) : undefined,
        })
      case 'tool-result':
        return order.fromLoop({
          type: 'result',
          step,
          toolName: part.toolName,
          output: part.output,
          failure: undefined,
        })
      case 'tool-error': {
        const failure = messageOf(part.error)
        return order.fromLoop({
          type: 'result',
          step,
          toolName: part.toolName,
          output: undefined,
          failure,
        })
      }
      case 'finish-step':
        return order.endStep()
      case 'error':
        throw part.error
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
