/**
 * Tool calling for models that write calls as text: middlewares for AI SDK 5, 6 and 7, functions for
 * use without it, and the built-in protocols by name. The names for authors of a new format are in
 * `@toolglot/parser/protocol`.
 *
 * @module index
 */

// Middlewares.

export {
  type Repair,
  type RepairCode,
  type RepairRule,
  repairRules,
  type Tolerance,
} from './engine/repairs.js'
export {
  type CompactToolsOptions,
  compactTools,
  createToolMiddleware,
  type ToolMiddlewareOptions,
  wrapToolModel,
} from './middleware/create-middleware.js'
export { createFormatMiddleware } from './middleware/format-middleware.js'
export type { MiddlewareOptions, ToolResponsePromptTemplate } from './middleware/options.js'
export {
  cohereToolMiddleware,
  deepseekToolMiddleware,
  gemma4ToolMiddleware,
  gemmaToolMiddleware,
  glmToolMiddleware,
  gptOssToolMiddleware,
  graniteToolMiddleware,
  hermesToolMiddleware,
  hunyuanToolMiddleware,
  kimiToolMiddleware,
  lfm2ToolMiddleware,
  llamaToolMiddleware,
  minimaxToolMiddleware,
  mistralToolMiddleware,
  morphXmlToolMiddleware,
  olmo3ToolMiddleware,
  phi4MiniToolMiddleware,
  qwen3CoderToolMiddleware,
  seedOssToolMiddleware,
  xmlToolMiddleware,
  yamlXmlToolMiddleware,
} from './middleware/presets.js'
export {
  type DebugSummary,
  isToolChoiceActive,
  type ToolCallOptions,
} from './middleware/request-options.js'
export {
  type LanguageModelLike,
  type ToolCallMiddleware,
  toolCallOptions,
  type WrapOptions,
} from './middleware/sdk-boundary.js'
export type {
  ErrorCode,
  ErrorMetadata,
  ForcedChoice,
  OnError,
  OnRepair,
  ParserOptions,
  ReadingOptions,
  RepairedCall,
  RequestContext,
} from './options/parser-options.js'

// Built-in protocols.

export {
  detectProtocol,
  type ProtocolDetection,
  type ProtocolHints,
} from './formats/detect-protocol.js'
export type { ModelFormat } from './formats/model-format.js'
export {
  getProtocol,
  getProtocolInfo,
  listProtocols,
  type ProtocolInfo,
  type ProtocolLike,
} from './formats/registry.js'
export { closestName, didYouMean } from './options/closest-name.js'
export {
  type CompactProtocolOptions,
  type CompactSyntax,
  compactProtocol,
  type FallbackToJson,
  planTools,
  type ToolPlan,
} from './protocols/compact-protocol.js'
export { type MorphXmlProtocolOptions, morphXmlProtocol } from './protocols/element-protocol.js'
export type { NamedTool } from './protocols/format-definition.js'
export { type JsonMixProtocolOptions, jsonMixProtocol } from './protocols/json-protocol.js'
export type {
  EngineProtocol,
  ToolCallProtocol,
  ToolSystemPromptTemplate,
} from './protocols/protocol.js'
export { yamlXmlProtocol } from './protocols/yaml-protocol.js'

// Use without the AI SDK.

export type { ToolReadingOptions, ToolTextOptions } from './plain/options.js'
export {
  type ParsedAnswer,
  type ParseToolCallsOptions,
  parseToolCalls,
} from './plain/parse-tool-calls.js'
export {
  type RenderedToolCall,
  type RenderedToolResult,
  type RenderOptions,
  renderCalls,
  renderResults,
  renderTools,
} from './plain/render-tools.js'
export {
  createToolCallReader,
  type ParsedToolCall,
  type ToolCallEvent,
  type ToolCallProblem,
  type ToolCallReader,
} from './plain/tool-call-reader.js'
export { createToolCallStream, type ToolCallStreamOptions } from './plain/tool-call-stream.js'
export { type AnyTools, readTools } from './schema/read-tools.js'

// Schemas, and the data of the AI SDK.

export { coerceBySchema } from './schema/coerce-by-schema.js'
export { createDynamicIfThenElseSchema, type IfThenElseTool } from './schema/if-then-else-schema.js'
export {
  type Descriptions,
  isFlatObject,
  renderSignature,
  type SignatureOptions,
} from './schema/signature.js'
export type { ToolChoice } from './sdk/call-params.js'
export type {
  Content,
  FunctionTool,
  Json,
  Part,
  ReasoningContent,
  TextContent,
  ToolCall,
  ToolCallContent,
  ToolResult,
} from './sdk/parts.js'
export type { MediaStrategy } from './sdk/tool-result.js'

// Names that moved or changed.

export {
  type CallEndEvent,
  type CallGrammar,
  type CallPlace,
  type CallPosition,
  type DebugLevel,
  defineProtocol,
  type EmitEvent,
  type EngineEvent,
  elementCalls,
  type FormatContext,
  type FormatExtras,
  type FormatForm,
  type FormatGrammar,
  type FormatTemplates,
  type FormatTraits,
  hermesProtocol,
  isEngineProtocol,
  type JsonMarks,
  jsonCalls,
  jsonProtocol,
  KExaone2ToolParser,
  kExaone2Protocol,
  kExaone2ToolMiddleware,
  lineCalls,
  type Mark,
  type OnErrorFn,
  type OnTrace,
  type Problem,
  type ProblemCode,
  type ProtocolDefinition,
  type ProtocolTraces,
  pairCalls,
  protocolInfo,
  protocolNames,
  Qwen3CoderToolParser,
  qwen3CoderProtocol,
  type ReasoningMarks,
  type ReceivedContext,
  type ReceivedOptions,
  type ReceivedPromptTemplate,
  type ReportError,
  type Scanner,
  type TaggedGrammar,
  type TaggedProtocolOptions,
  type TCMCoreProtocol,
  type TCMProtocol,
  type ToolCallMiddlewareProviderOptions,
  type ToolResponseMediaMode,
  type ToolResponsePromptTemplateResult,
  type ToolResponseUserContentPart,
  type ToolShapes,
  type Trace,
  taggedCalls,
  taggedProtocol,
  uiTarsXmlProtocol,
  xmlProtocol,
  yamlProtocol,
  yamlToolMiddleware,
} from './migration-names.js'
