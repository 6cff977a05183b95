import { createResponseLog, type ResponseLog } from './debug.js'
import type { MiddlewareConfig } from './middleware-options.js'
import { isForced, type ParserOptions } from './parser-options.js'
import { createGrammarScanner } from './protocols/define-protocol.js'
import { isEngineProtocol } from './protocols/tool-call-protocol.js'
import { type CallParams, type RequestOptions, readRequestOptions } from './sdk/call-params.js'
import { finishWithCalls } from './sdk/finish-reason.js'
import { createPartTransformer, type PartTransformer } from './sdk/part-stream.js'
import { isFinish } from './sdk/parts.js'

/** What both ways of answering, streamed and whole, need to know of the request. */
export interface ResponseContext extends RequestOptions {
  /** The protocol is not ours and reads texts itself; the transformer takes what comes of that. */
  readonly isForeign: boolean
  readonly transformer: PartTransformer
  /** For the tools that could not be offered, in a form that all three SDKs know. */
  readonly warnings: readonly unknown[]
  /** Told of all that comes in and goes out; undefined where there is nothing to show or keep. */
  readonly log: ResponseLog | undefined
}

/** The context of an answer, or undefined where there are no tools and so nothing to read. */
export function createResponseContext(params: CallParams, config: MiddlewareConfig): ResponseContext | undefined {
  const request = readRequestOptions(params, config)
  const { tools, parserOptions: options, droppedTools } = request
  const isRescue = config.mode === 'rescue'
  if (tools.length === 0 || (isRescue && params.toolChoice?.type === 'none')) return undefined
  const own = isEngineProtocol(config.protocol) ? config.protocol : undefined
  // The answer to a forced choice is JSON, whatever the protocol.
  const isForeign = !own && !isForced(options.toolChoice)
  const createScanner = own?.createScanner ?? createGrammarScanner({ grammar: () => [] })
  const hasThoughts = options.callsInReasoning ?? (isRescue || own?.definition.callsInReasoning === true)
  const thoughtOptions: ParserOptions = { ...options, startWithReasoning: false, callsInReasoning: true }
  const createTransformer = () =>
    createPartTransformer(emit => createScanner({ tools, options, emit }), {
      ...options,
      isRescue,
      createThoughtScanner: hasThoughts ? emit => createScanner({ tools, options: thoughtOptions, emit }) : undefined,
      toolNames: tools.map(tool => tool.name),
    })
  return {
    ...request,
    isForeign,
    transformer: isForeign ? createFinishTransformer() : createTransformer(),
    warnings: droppedTools.map(name => ({
      type: 'other',
      message: `The tool ${JSON.stringify(name)} is run by the provider and cannot be offered to a model as text; it was left out.`,
    })),
    log: createResponseLog(request, config),
  }
}

/** For parts that a protocol has made itself: only the finish reason is left to set. */
function createFinishTransformer(): PartTransformer {
  let hasCall = false
  return {
    transform(part, enqueue) {
      hasCall ||= part.type === 'tool-call'
      enqueue(hasCall && isFinish(part) ? finishWithCalls(part) : part)
    },
    flush() {},
  }
}
