import type { Shape } from '../engine/values/shape.js'
import { coerceJson, createJsonCoercer } from '../schema/coerce-json.js'
import type { Part } from '../sdk/parts.js'
import { createToolCallId } from './tool-call-id.js'

/** The input of a call that the protocol's own parser is streaming. */
interface StreamedInput {
  /** The id of the call: the parser's, or a new one if the parser gave none. */
  readonly id: string
  /** Types the deltas; undefined for a tool that does not exist. */
  readonly coercer: ReturnType<typeof createJsonCoercer> | undefined
}

export interface CallCompleterOptions {
  /** The shape of a tool's arguments; undefined for a tool that does not exist. */
  shapeOf(toolName: string): Shape | undefined
  /** True for a call that the provider itself has made. */
  isNative(toolCallId: string): boolean
}

/**
 * Completes the calls of a protocol with its own parser. `{ type: 'tool-call', toolName, input }`
 * gets an id, an input that is an object becomes JSON text, and the arguments get the types of the
 * tool's schema. Streamed deltas do so, too.
 */
export function createCallCompleter({
  shapeOf,
  isNative,
}: CallCompleterOptions): (part: Part) => readonly Part[] {
  /** Inputs whose tool-call has not come yet, by the parser's id: '' if the parser gave none. */
  const inputs = new Map<string, StreamedInput>()

  const startInput = (part: Part) => {
    const { id = '', toolName = '' } = part
    const shape = shapeOf(toolName)
    const input: StreamedInput = {
      id: id || createToolCallId(),
      coercer: shape && createJsonCoercer(shape),
    }
    inputs.set(id, input)
    return [{ ...part, id: input.id }]
  }
  const continueInput = (part: Part) => {
    const { id = '', delta = '' } = part
    const input = inputs.get(id)
    const coerced = input?.coercer ? input.coercer.feed(delta) : delta
    return coerced === '' ? [] : [{ ...part, id: input?.id ?? id, delta: coerced }]
  }
  const endInput = (part: Part) => {
    const { id = '' } = part
    const input = inputs.get(id)
    const rest = input?.coercer?.end() ?? ''
    const end = { ...part, id: input?.id ?? id }
    return rest === '' ? [end] : [{ type: 'tool-input-delta', id: end.id, delta: rest }, end]
  }
  const completeCall = (part: Part) => {
    const { toolCallId: givenId = '', toolName = '', input } = part
    // A call without an id belongs to the first input that is waiting.
    const [key, started] = inputs.has(givenId)
      ? [givenId, inputs.get(givenId)]
      : ([...inputs][0] ?? [])
    const isStarted = started !== undefined && (givenId === '' || key === givenId)
    if (isStarted && key !== undefined) inputs.delete(key)
    const toolCallId = givenId || (isStarted ? started.id : createToolCallId())
    return [{ ...part, toolCallId, input: writeInput(input, shapeOf(toolName)) }]
  }

  return part => {
    const id = part.type === 'tool-call' ? part.toolCallId : part.id
    if (part.providerExecuted || isNative(id ?? '')) return [part]
    switch (part.type) {
      case 'tool-input-start':
        return startInput(part)
      case 'tool-input-delta':
        return continueInput(part)
      case 'tool-input-end':
        return endInput(part)
      case 'tool-call':
        return completeCall(part)
      default:
        return [part]
    }
  }
}

/**
 * Writes the input of a call as JSON text. Text that is not JSON is not changed: the SDK reports it
 * to the model.
 */
function writeInput(input: unknown, shape: Shape | undefined): string {
  const isBlank = input === undefined || (typeof input === 'string' && input.trim() === '')
  const text = typeof input === 'string' && !isBlank ? input : JSON.stringify(isBlank ? {} : input)
  return (shape && coerceJson(text, shape)) ?? text
}
