import { autoProtocolOf, getProtocol, type ProtocolLike } from '../formats/registry.js'
import { asRecord } from '../is-record.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import {
  type CompactProtocolOptions,
  compactOptionNames,
  compactProtocol,
} from '../protocols/compact-protocol.js'
import { createMiddleware } from './format-middleware.js'
import { type MiddlewareOptions, middlewareOptionNames } from './options.js'
import type { LanguageModelLike, ToolCallMiddleware } from './sdk-boundary.js'

/** The options of `createToolMiddleware` and `wrapToolModel`. */
export interface ToolMiddlewareOptions extends MiddlewareOptions {
  /**
   * How the model writes calls: the name of a built-in protocol, a protocol, or a function that
   * returns one. `auto` asks in the format that the model's id suggests, and reads the formats of
   * all models.
   *
   * @default 'auto'
   */
  readonly protocol?: ProtocolLike | undefined
}

/**
 * Creates a middleware that adds tool calling to a model that only writes text. For
 * `wrapLanguageModel` of AI SDK 5, 6 and 7.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { createToolMiddleware } from '@toolglot/parser'
 * import { wrapLanguageModel } from 'ai'
 *
 * const local = createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:8080/v1' })
 *
 * export const model = wrapLanguageModel({
 *   model: local('qwen3'),
 *   middleware: createToolMiddleware({ reasoning: true }),
 * })
 * ```
 */
export function createToolMiddleware(options: ToolMiddlewareOptions = {}): ToolCallMiddleware {
  checkOptionNames('createToolMiddleware', options, toolMiddlewareOptionNames)
  const { protocol: given = 'auto', ...others } = options
  if (given === 'auto') return createMiddleware(autoProtocolOf, others)
  if (typeof given === 'string') {
    const choice = {
      protocol: getProtocol(given),
      formatName: given,
      formatReason: 'the option protocol names it',
    }
    return createMiddleware(() => choice, others)
  }
  const protocol = typeof given === 'function' ? given() : given
  checkProtocol(protocol, others)
  return createMiddleware(() => ({ protocol, formatReason: 'the option protocol' }), others)
}

const toolMiddlewareOptionNames: OptionNames<ToolMiddlewareOptions> = {
  protocol: true,
  ...middlewareOptionNames,
}

/**
 * Throws if a protocol lacks a method. Protocols of older packages have no `formatToolResponse`:
 * they leave the results to `toolResponsePromptTemplate`.
 */
function checkProtocol(protocol: unknown, { toolResponsePromptTemplate }: MiddlewareOptions): void {
  const methods = ['formatTools', 'formatToolCall', 'parseGeneratedText', 'createStreamParser']
  if (!toolResponsePromptTemplate) methods.push('formatToolResponse')
  const missing = methods.filter(method => typeof asRecord(protocol)[method] !== 'function')
  if (missing.length === 0) return
  throw new TypeError(
    `The protocol has no method ${missing.join(', ')}. See docs/protocols.md for the five that it needs.`,
  )
}

/** The options of `compactTools`. */
export interface CompactToolsOptions
  extends CompactProtocolOptions,
    Omit<MiddlewareOptions, 'mode' | 'toolSystemPromptTemplate'> {}

/**
 * Creates a middleware that needs fewer tokens than JSON in tags: a tool is one line of the prompt, a
 * call is `<call>name key=value</call>`. For `wrapLanguageModel` of AI SDK 5, 6 and 7.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { compactTools } from '@toolglot/parser'
 * import { wrapLanguageModel } from 'ai'
 *
 * const local = createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:8080/v1' })
 *
 * export const model = wrapLanguageModel({
 *   model: local('qwen3'),
 *   middleware: compactTools({ syntax: 'line' }),
 * })
 * ```
 */
export function compactTools(options: CompactToolsOptions = {}): ToolCallMiddleware {
  const { syntax, fallbackToJson, manualHeader, descriptions, ...others } = options
  checkOptionNames('compactTools', options, compactToolsOptionNames())
  const protocol = compactProtocol({ syntax, fallbackToJson, manualHeader, descriptions })
  return createMiddleware(
    () => ({ protocol, formatName: syntax ?? 'wire', formatReason: 'compactTools' }),
    others,
  )
}

function compactToolsOptionNames(): OptionNames<CompactToolsOptions> {
  const { mode: _mode, toolSystemPromptTemplate: _template, ...sharedNames } = middlewareOptionNames
  return { ...compactOptionNames, ...sharedNames }
}

/**
 * Adds tool calling to a model, without `wrapLanguageModel`. The result keeps the model's own
 * specification version, so it works wherever the model does: a V2 model on AI SDK 6, for example.
 *
 * @example
 * ```ts
 * import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
 * import { wrapToolModel } from '@toolglot/parser'
 *
 * const local = createOpenAICompatible({ name: 'local', baseURL: 'http://localhost:8080/v1' })
 *
 * export const model = wrapToolModel(local('qwen3'), { protocol: 'hermes' })
 * ```
 */
export function wrapToolModel<Model extends LanguageModelLike>(
  model: Model,
  options: ToolMiddlewareOptions = {},
): Model {
  const { transformParams, wrapGenerate, wrapStream } = createToolMiddleware(options)
  const call = (type: 'generate' | 'stream') => async (given: unknown) => {
    const params = await transformParams({ type, params: given, model })
    const ways = {
      doGenerate: () => model.doGenerate(params),
      doStream: () => model.doStream(params),
      params,
      model,
    }
    return type === 'generate' ? wrapGenerate(ways) : wrapStream(ways)
  }
  const methods: Record<PropertyKey, unknown> = {
    doGenerate: call('generate'),
    doStream: call('stream'),
  }
  // The target is a new object: a proxy must not replace the properties of a frozen model.
  return new Proxy(Object.create(Object.getPrototypeOf(model)), {
    get(_target, property) {
      if (Object.hasOwn(methods, property)) return methods[property]
      // Models have private fields, which only their own methods can read.
      const value: unknown = Reflect.get(model, property, model)
      return typeof value === 'function' ? value.bind(model) : value
    },
    has: (_target, property) => property in model,
  })
}
