import { beforeAll, describe, expect, it } from 'vitest'
import { readExports } from './support/read-exports.js'

/** What `@toolglot/parser` exported before `@toolglot/parser/protocol` existed, values and types. */
const earlierNames = `
  CallEndEvent CallGrammar CallPlace CallPosition closestName coerceBySchema
  cohereToolMiddleware compactProtocol CompactProtocolOptions CompactSyntax compactTools
  CompactToolsOptions Content createDynamicIfThenElseSchema createFormatMiddleware
  createToolMiddleware DebugLevel DebugSummary deepseekToolMiddleware defineProtocol
  Descriptions detectProtocol didYouMean elementCalls EmitEvent EngineEvent EngineProtocol
  ErrorCode ErrorMetadata FallbackToJson ForcedChoice FormatContext FormatExtras FormatForm
  FormatGrammar FormatTemplates FormatTraits FunctionTool gemma4ToolMiddleware
  gemmaToolMiddleware getProtocol getProtocolInfo glmToolMiddleware gptOssToolMiddleware
  graniteToolMiddleware hermesProtocol hermesToolMiddleware hunyuanToolMiddleware
  isEngineProtocol isFlatObject isToolChoiceActive jsonCalls JsonMarks jsonMixProtocol
  JsonMixProtocolOptions jsonProtocol kExaone2Protocol kExaone2ToolMiddleware KExaone2ToolParser
  kimiToolMiddleware LanguageModelLike lfm2ToolMiddleware lineCalls listProtocols
  llamaToolMiddleware Mark MediaStrategy MiddlewareOptions minimaxToolMiddleware
  mistralToolMiddleware ModelFormat morphXmlProtocol MorphXmlProtocolOptions
  morphXmlToolMiddleware olmo3ToolMiddleware OnError OnErrorFn OnTrace pairCalls ParserOptions
  Part phi4MiniToolMiddleware planTools Problem ProblemCode ProtocolDefinition ProtocolDetection
  ProtocolHints ProtocolInfo protocolInfo ProtocolLike protocolNames ProtocolTraces
  qwen3CoderProtocol qwen3CoderToolMiddleware Qwen3CoderToolParser ReasoningContent
  ReasoningMarks ReceivedContext ReceivedOptions ReceivedPromptTemplate renderSignature
  ReportError RequestContext Scanner seedOssToolMiddleware SignatureOptions taggedCalls
  TaggedGrammar taggedProtocol TaggedProtocolOptions TCMCoreProtocol TCMProtocol TextContent
  ToolCall ToolCallContent ToolCallMiddleware ToolCallMiddlewareProviderOptions ToolCallOptions
  toolCallOptions ToolCallProtocol ToolChoice ToolMiddlewareOptions ToolPlan
  ToolResponseMediaMode ToolResponsePromptTemplate ToolResponsePromptTemplateResult
  ToolResponseUserContentPart ToolResult ToolShapes ToolSystemPromptTemplate Trace
  uiTarsXmlProtocol wrapToolModel xmlProtocol xmlToolMiddleware yamlProtocol yamlToolMiddleware
  yamlXmlProtocol yamlXmlToolMiddleware
`
  .trim()
  .split(/\s+/)

/**
 * Names that both entries export. An application uses them for a built-in protocol or to read what
 * a middleware hands it, and they are in the signatures that the author of a format implements.
 */
const sharedNames = [
  // What `getProtocol` returns, and what the option `protocol` and `createFormatMiddleware` take.
  'EngineProtocol',
  'ModelFormat',
  'ToolCallProtocol',
  // An option of the middleware, and a field of a protocol's definition.
  'ToolSystemPromptTemplate',
  // What `parseGeneratedText` takes and returns.
  'Content',
  'ParserOptions',
  'RequestContext',
  // The data of the AI SDK.
  'FunctionTool',
  'Part',
  'ToolCall',
  'ToolResult',
]

type Exports = ReturnType<typeof readExports>[number]
let index: Exports = new Map()
let protocol: Exports = new Map()

beforeAll(() => {
  const [ofIndex, ofProtocol] = readExports(['index.ts', 'protocol.ts'])
  if (ofIndex) index = ofIndex
  if (ofProtocol) protocol = ofProtocol
}, 120_000)

describe('the entries of the package', () => {
  it('`.` has every name that it had', () => {
    expect(earlierNames).toHaveLength(140)
    expect(earlierNames.filter(name => !index.has(name))).toEqual([])
  })

  it('`./protocol` has no deprecated name', () => {
    expect(protocol.size).toBeGreaterThan(0)
    expect([...protocol].filter(([, { isDeprecated }]) => isDeprecated)).toEqual([])
  })

  it('share only the names that both need', () => {
    const current = [...index].filter(([, { isDeprecated }]) => !isDeprecated)
    const shared = current.map(([name]) => name).filter(name => protocol.has(name))
    expect(shared.sort()).toEqual([...sharedNames].sort())
  })
})
