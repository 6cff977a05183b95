import { type DebugLevel, debugLevel, logChoice } from './debug.js'
import { wrapGenerate } from './generate-handler.js'
import type { ParserOptions } from './parser-options.js'
import {
  isEngineProtocol,
  type ToolCallProtocol,
  type ToolSystemPromptTemplate,
} from './protocols/tool-call-protocol.js'
import { isRecord } from './schema/is-record.js'
import { type CallParams, readRequestOptions } from './sdk/call-params.js'
import type { LanguageModelLike, ToolCallMiddleware } from './sdk/middleware-types.js'
import { keepSpecialTokens } from './sdk/special-tokens.js'
import type { MediaStrategy } from './sdk/tool-result.js'
import { wrapStream } from './stream-handler.js'
import { type MiddlewareConfig, transformParams } from './transform-handler.js'

/** Options of the parser that are those of the middleware, too. */
type SharedOptions =
  | 'onError'
  | 'emitRawToolCallTextOnError'
  | 'maxHeldChars'
  | 'stripPreamble'
  | 'startWithReasoning'
  | 'callsInReasoning'

/** The options of every middleware, whatever its protocol. */
export interface MiddlewareOptions extends Pick<ParserOptions, SharedOptions> {
  /**
   * `prompt`, the default: the tools go into the prompt, and the calls are read from the text. `rescue`: the tools go to the
   * provider as ever; only a call that it overlooks, in text or among thoughts, is read.
   */
  readonly mode?: 'prompt' | 'rescue' | undefined
  /** The prompt that shows the tools; by default the protocol's own. */
  readonly toolSystemPromptTemplate?: ToolSystemPromptTemplate | undefined
  /** Where the tools stand in a system message that is already there. Default: `first`. */
  readonly placement?: 'first' | 'last' | undefined
  /** What becomes of files in tool results. Default: `auto`, which shows images and names other files. */
  readonly mediaStrategy?: MediaStrategy | undefined
  /** Turns what the model thinks (`<think>` and the format's own marks) into reasoning. Default: it is left in the text. */
  readonly reasoning?: boolean | undefined
  /** Asks an OpenAI-compatible server for special tokens. Default: where the format is made of them; see docs/options.md. */
  readonly keepSpecialTokens?: boolean | undefined
  /** Prints what comes in and goes out, like `DEBUG_PARSER_MW`. `true` is `parse`. */
  readonly debug?: boolean | DebugLevel | undefined
}

/** The protocol for a model. `name` is told in the debug output, where there was a choice. */
export type ProtocolChoice = (modelId: string) => { readonly protocol: ToolCallProtocol; readonly name?: string }

/** A middleware whose protocol is already at hand, so that it brings in no other. */
export function middlewareOf(choose: ProtocolChoice, options: MiddlewareOptions = {}): ToolCallMiddleware {
  const request = createRequests(choose, options)
  return {
    specificationVersion: 'v3',
    transformParams: async ({ params, model }) => request(model).transform(params),
    wrapStream: ({ doStream, params, model }) => wrapStream(doStream, params, request(model).config),
    wrapGenerate: ({ doGenerate, params, model }) => wrapGenerate(doGenerate, params, request(model).config),
  }
}

/** The same as a function of the model; see `wrapToolModel`. */
export function wrapModelWith<Model extends LanguageModelLike>(
  model: Model,
  choose: ProtocolChoice,
  options: MiddlewareOptions,
): Model {
  const { config, transform } = createRequests(choose, options)(model)
  const methods: Record<PropertyKey, unknown> = {
    doGenerate: async (given: CallParams) => {
      const params = transform(given)
      return wrapGenerate(() => model.doGenerate(params), params, config)
    },
    doStream: async (given: CallParams) => {
      const params = transform(given)
      return wrapStream(() => model.doStream(params), params, config)
    },
  }
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

/** What is done to the requests of a model. */
function createRequests(choose: ProtocolChoice, options: MiddlewareOptions) {
  const settings = resolveSettings(options)
  return (model: unknown) => {
    const { protocol, name } = choose(isRecord(model) && typeof model.modelId === 'string' ? model.modelId : '')
    const config: MiddlewareConfig = { ...settings, protocol }
    const isKept =
      config.mode === 'prompt' &&
      (options.keepSpecialTokens ?? (isEngineProtocol(protocol) && protocol.definition.hasSpecialTokens === true))
    return {
      config,
      transform(params: CallParams): CallParams {
        const transformed = transformParams(params, config)
        // Where nothing is asked for nothing is read, and marks would stay in the text.
        const { originalTools } = readRequestOptions(transformed, settings.parserOptions)
        if (transformed === params || originalTools.length === 0) return transformed
        if (name !== undefined && (config.debug ?? debugLevel()) !== 'off') logChoice(name, model)
        return isKept ? keepSpecialTokens(transformed, model) : transformed
      },
    }
  }
}

function resolveSettings(options: MiddlewareOptions): Omit<MiddlewareConfig, 'protocol'> {
  const { mode = 'prompt', placement = 'first', mediaStrategy = 'auto', toolSystemPromptTemplate, ...others } = options
  const { debug: givenLevel, keepSpecialTokens: _, reasoning = false, ...parserOptions } = others
  const { maxHeldChars } = parserOptions
  const debug = levelOf(givenLevel)
  expectOneOf('mode', mode, ['prompt', 'rescue'])
  expectOneOf('placement', placement, ['first', 'last'])
  expectOneOf('mediaStrategy', mediaStrategy, ['model', 'placeholder', 'auto'])
  if (debug !== undefined) expectOneOf('debug', debug, ['off', 'stream', 'parse'])
  if (maxHeldChars !== undefined && !(maxHeldChars >= 1024)) {
    throw new TypeError(`maxHeldChars is ${String(maxHeldChars)}; it must be a number of at least 1024.`)
  }
  const settings = { mode, toolSystemPromptTemplate, placement, mediaStrategy, debug }
  return { ...settings, parserOptions: { ...parserOptions, reasoning } }
}

function levelOf(debug: MiddlewareOptions['debug']): DebugLevel | undefined {
  if (typeof debug !== 'boolean') return debug
  return debug ? 'parse' : 'off'
}

function expectOneOf(option: string, value: string, known: readonly string[]): void {
  if (known.includes(value)) return
  const names = known.map(each => JSON.stringify(each))
  throw new TypeError(
    `${option} is ${JSON.stringify(value)}; it must be ${names.slice(0, -1).join(', ')} or ${names.at(-1)}.`,
  )
}
