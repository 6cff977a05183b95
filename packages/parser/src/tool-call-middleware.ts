import { type GenerateResult, wrapGenerate } from './generate-handler.js'
import type { OnError } from './parser-options.js'
import { type ProtocolLike, resolveProtocol } from './protocols/registry.js'
import type { ToolSystemPromptTemplate } from './protocols/tool-call-protocol.js'
import type { CallParams, ToolCallOptions } from './sdk/call-params.js'
import { OPTIONS_KEY } from './sdk/call-params.js'
import { asProviderOptions, type LanguageModelLike, type ToolCallMiddleware } from './sdk/middleware-types.js'
import type { MediaStrategy } from './sdk/tool-result.js'
import { type StreamResult, wrapStream } from './stream-handler.js'
import { type MiddlewareConfig, transformParams } from './transform-handler.js'

export interface ToolMiddlewareOptions {
  /** How the model writes calls: a protocol, a factory of one, or the name of a built-in one. */
  readonly protocol: ProtocolLike
  /** The prompt that shows the tools; by default the protocol's own. */
  readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  /** Where the tools stand in a system message that is already there. Default: `first`. */
  readonly placement?: 'first' | 'last' | undefined
  /** What becomes of files in tool results. Default: `auto`, which shows images and names other files. */
  readonly mediaStrategy?: MediaStrategy | undefined
  readonly onError?: OnError | undefined
  readonly emitRawToolCallTextOnError?: boolean | undefined
  readonly maxHeldChars?: number | undefined
  /** Drops the text of an answer that holds a call; see docs/options.md. */
  readonly stripPreamble?: boolean | undefined
  /** Prints what comes in and goes out, like `DEBUG_PARSER_MW`. `true` is `parse`. */
  readonly debug?: boolean | 'off' | 'stream' | 'parse' | undefined
}

/** Gives tool calling to a model that only writes text. For `wrapLanguageModel` of AI SDK 5, 6 and 7. */
export function createToolMiddleware(options: ToolMiddlewareOptions): ToolCallMiddleware {
  const config = resolveConfig(options)
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params }) => transformParams(params, config),
    wrapStream: ({ doStream, params }) => wrapStream(doStream, params, config),
    wrapGenerate: ({ doGenerate, params }) => wrapGenerate(doGenerate, params, config),
  }
}

/**
 * The same as a function of the model: the result keeps the model's own specification version, so that it works wherever
 * the model itself does, a V2 model on AI SDK 6 included.
 */
export function wrapToolModel<Model extends LanguageModelLike>(model: Model, options: ToolMiddlewareOptions): Model {
  const config = resolveConfig(options)
  const doGenerate = async (params: CallParams): Promise<GenerateResult> => {
    const transformed = transformParams(params, config)
    return wrapGenerate(() => model.doGenerate(transformed), transformed, config)
  }
  const doStream = async (params: CallParams): Promise<StreamResult> => {
    const transformed = transformParams(params, config)
    return wrapStream(() => model.doStream(transformed), transformed, config)
  }
  const methods: Record<PropertyKey, unknown> = { doGenerate, doStream }
  // Not a proxy of the model itself: of one that is frozen no property may be replaced.
  return new Proxy(Object.create(Object.getPrototypeOf(model)), {
    get(_target, property) {
      if (Object.hasOwn(methods, property)) return methods[property]
      // Models have private fields, which only the model itself may touch.
      const value: unknown = Reflect.get(model, property, model)
      return typeof value === 'function' ? value.bind(model) : value
    },
    has: (_target, property) => property in model,
  })
}

/** The options of a single call, in the form that `providerOptions` wants: `providerOptions: toolCallOptions({ onError })`. */
export function toolCallOptions(options: ToolCallOptions): { toolCallMiddleware: Record<string, never> } {
  return asProviderOptions({ [OPTIONS_KEY]: options })
}

function resolveConfig(options: ToolMiddlewareOptions): MiddlewareConfig {
  const { protocol, toolSystemPromptTemplate, placement = 'first', mediaStrategy = 'auto' } = options
  if (placement !== 'first' && placement !== 'last') {
    throw new TypeError(`placement is ${JSON.stringify(placement)}; it must be "first" or "last".`)
  }
  if (!['model', 'placeholder', 'auto'].includes(mediaStrategy)) {
    throw new TypeError(
      `mediaStrategy is ${JSON.stringify(mediaStrategy)}; it must be "model", "placeholder" or "auto".`,
    )
  }
  if (options.maxHeldChars !== undefined && !(options.maxHeldChars >= 1024)) {
    throw new TypeError(`maxHeldChars is ${String(options.maxHeldChars)}; it must be a number of at least 1024.`)
  }
  const { onError, emitRawToolCallTextOnError, maxHeldChars, stripPreamble, debug } = options
  if (![undefined, true, false, 'off', 'stream', 'parse'].includes(debug)) {
    throw new TypeError(`debug is ${JSON.stringify(debug)}; it must be a boolean, "off", "stream" or "parse".`)
  }
  return {
    protocol: resolveProtocol(protocol),
    toolSystemPromptTemplate,
    placement,
    mediaStrategy,
    parserOptions: { onError, emitRawToolCallTextOnError, maxHeldChars, stripPreamble },
    debug: debug === true ? 'parse' : debug === false ? 'off' : debug,
  }
}
