import { middlewareOf } from './middleware.js'
import type { MiddlewareOptions } from './options.js'
import { type CompactProtocolOptions, compactProtocol } from './protocols/compact-protocol.js'
import { autoProtocolOf, getProtocol, type ProtocolLike } from './protocols/registry.js'
import type { LanguageModelLike, ToolCallMiddleware } from './sdk/middleware-types.js'

/** The options of `createToolMiddleware` and `wrapToolModel`. */
export interface ToolMiddlewareOptions extends MiddlewareOptions {
  /**
   * How the model writes calls: a protocol, a factory of one, or the name of a built-in one. Default: `auto`, which asks in
   * the format that the model's id suggests and reads all of them.
   */
  readonly protocol?: ProtocolLike | undefined
}

/** Gives tool calling to a model that only writes text. For `wrapLanguageModel` of AI SDK 5, 6 and 7. */
export function createToolMiddleware(options: ToolMiddlewareOptions = {}): ToolCallMiddleware {
  const { protocol: given = 'auto', ...others } = options
  if (given === 'auto') return middlewareOf(autoProtocolOf, others)
  const found = typeof given === 'string' ? getProtocol(given) : given
  const protocol = typeof found === 'function' ? found() : found
  return middlewareOf(() => ({ protocol }), others)
}

/** The options of `compactTools`. */
export interface CompactToolsOptions
  extends CompactProtocolOptions,
    Omit<MiddlewareOptions, 'mode' | 'toolSystemPromptTemplate'> {}

/**
 * Tool calling in fewer tokens: the tools as one line each, the calls as `<call>name key=value</call>`, with JSON, or as a line
 * `@name key=value`. For `wrapLanguageModel` of AI SDK 5, 6 and 7.
 */
export function compactTools(options: CompactToolsOptions = {}): ToolCallMiddleware {
  const protocol = compactProtocol(options)
  return middlewareOf(() => ({ protocol }), options)
}

/**
 * `createToolMiddleware` as a function of the model: the result keeps the model's own specification version, so that it works wherever
 * the model itself does, a V2 model on AI SDK 6 included.
 */
export function wrapToolModel<Model extends LanguageModelLike>(
  model: Model,
  options: ToolMiddlewareOptions = {},
): Model {
  const { transformParams, wrapGenerate, wrapStream } = createToolMiddleware(options)
  const call = (type: 'generate' | 'stream') => async (given: unknown) => {
    const params = await transformParams({ type, params: given, model })
    const ways = { doGenerate: () => model.doGenerate(params), doStream: () => model.doStream(params), params, model }
    return type === 'generate' ? wrapGenerate(ways) : wrapStream(ways)
  }
  const methods: Record<PropertyKey, unknown> = { doGenerate: call('generate'), doStream: call('stream') }
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
