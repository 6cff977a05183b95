// Middlewares, and what they take.

// What protocols of one's own are made of.
export type {
  CallEndEvent,
  EmitEvent,
  EngineEvent,
  OnTrace,
  Problem,
  ProblemCode,
  Trace,
} from './engine/events.js'
export type { CallGrammar, Mark, ToolShapes } from './engine/grammar.js'
export { type JsonMarks, jsonCalls } from './engine/json/json-calls.js'
export { lineCalls, pairCalls } from './engine/pairs/pair-calls.js'
export type { ReasoningMarks } from './engine/reasoning-marks.js'
export type { Scanner } from './engine/scanner.js'
export { elementCalls } from './engine/tags/elements.js'
export { type TaggedGrammar, taggedCalls } from './engine/tags/parameter-tags.js'
// Built-in formats by name.
export {
  detectProtocol,
  type ProtocolDetection,
  type ProtocolHints,
} from './formats/detect-protocol.js'
export type { FormatGrammar, ModelFormat } from './formats/model-format.js'
export {
  getProtocol,
  getProtocolInfo,
  listProtocols,
  type ProtocolInfo,
  type ProtocolLike,
} from './formats/registry.js'
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
} from './middleware/sdk-boundary.js'
// Names that changed.
export {
  type CallPlace,
  type DebugLevel,
  type FormatForm,
  type FormatTraits,
  hermesProtocol,
  jsonProtocol,
  KExaone2ToolParser,
  kExaone2Protocol,
  kExaone2ToolMiddleware,
  type OnErrorFn,
  type ProtocolTraces,
  protocolInfo,
  protocolNames,
  Qwen3CoderToolParser,
  qwen3CoderProtocol,
  type TCMCoreProtocol,
  type TCMProtocol,
  type ToolCallMiddlewareProviderOptions,
  type ToolResponseMediaMode,
  type ToolResponsePromptTemplateResult,
  type ToolResponseUserContentPart,
  uiTarsXmlProtocol,
  xmlProtocol,
  yamlProtocol,
  yamlToolMiddleware,
} from './migration-names.js'
// Protocols of one's own.
export { closestName, didYouMean } from './options/closest-name.js'
export type {
  ErrorCode,
  ErrorMetadata,
  ForcedChoice,
  OnError,
  ParserOptions,
  ReceivedContext,
  ReceivedOptions,
  ReportError,
  RequestContext,
} from './options/parser-options.js'
export {
  type CompactProtocolOptions,
  type CompactSyntax,
  compactProtocol,
  type FallbackToJson,
  planTools,
  type ToolPlan,
} from './protocols/compact-protocol.js'
export { defineProtocol } from './protocols/define-protocol.js'
export { type MorphXmlProtocolOptions, morphXmlProtocol } from './protocols/element-protocol.js'
export type { FormatTemplates } from './protocols/format-protocol.js'
export { type JsonMixProtocolOptions, jsonMixProtocol } from './protocols/json-protocol.js'
export {
  type CallPosition,
  type EngineProtocol,
  type FormatContext,
  type FormatExtras,
  isEngineProtocol,
  type ProtocolDefinition,
  type ReceivedPromptTemplate,
  type ToolCallProtocol,
  type ToolSystemPromptTemplate,
} from './protocols/protocol.js'
export { type TaggedProtocolOptions, taggedProtocol } from './protocols/tagged-protocol.js'
export { yamlXmlProtocol } from './protocols/yaml-protocol.js'
// Schemas and data of the AI SDK.
export { coerceBySchema } from './schema/coerce-by-schema.js'
export { createDynamicIfThenElseSchema } from './schema/if-then-else-schema.js'
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
  Part,
  ReasoningContent,
  TextContent,
  ToolCall,
  ToolCallContent,
  ToolResult,
} from './sdk/parts.js'
export type { MediaStrategy } from './sdk/tool-result.js'
