import type { ToolReadingOptions } from './options.js'
import { startToolCallReader, type ToolCallEvent } from './tool-call-reader.js'

/** The options of `createToolCallStream`. */
export interface ToolCallStreamOptions extends ToolReadingOptions {
  /**
   * Asked when the text has ended: returns true if a limit stopped the model (`finish_reason` is
   * `length`), so that arguments without their end are cut, not repaired.
   *
   * @default () => false
   */
  readonly isCut?: (() => boolean) | undefined
}

/**
 * Creates a transform from the text of one answer to its events. It reads only as fast as its events
 * are read.
 *
 * @example
 * ```ts
 * import { createToolCallStream } from '@toolglot/parser'
 *
 * const tools = { get_weather: { type: 'object', properties: { city: { type: 'string' } } } }
 * const text = '<tool_call>{"name": "get_weather", "arguments": {"city": "Paris"}}</tool_call>'
 * const answer = new ReadableStream<string>({
 *   start(controller) {
 *     controller.enqueue(text)
 *     controller.close()
 *   },
 * })
 *
 * for await (const event of answer.pipeThrough(createToolCallStream({ tools, protocol: 'hermes' })))
 *   if (event.type === 'call-end') console.log(event.call.toolName, event.call.input)
 * ```
 */
export function createToolCallStream(
  options: ToolCallStreamOptions,
): TransformStream<string, ToolCallEvent> {
  const reader = startToolCallReader('createToolCallStream', options, { isCut: true })
  return new TransformStream({
    transform(text, controller) {
      for (const event of reader.feed(text)) controller.enqueue(event)
    },
    flush(controller) {
      for (const event of reader.end(options.isCut?.())) controller.enqueue(event)
    },
  })
}
