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
export * from './middleware/create-middleware.js'
export { createFormatMiddleware } from './middleware/format-middleware.js'
export type { MiddlewareOptions, ToolResponsePromptTemplate } from './middleware/options.js'
export * from './middleware/presets.js'
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
export * from './migration-names.js'
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
export * from './protocols/compact-protocol.js'
export {
  defineProtocol,
  type FormatExtras,
  type ProtocolDefinition,
} from './protocols/define-protocol.js'
export { type MorphXmlProtocolOptions, morphXmlProtocol } from './protocols/element-protocol.js'
export type { FormatTemplates } from './protocols/format-protocol.js'
export { type JsonMixProtocolOptions, jsonMixProtocol } from './protocols/json-protocol.js'
export * from './protocols/protocol.js'
export { type TaggedProtocolOptions, taggedProtocol } from './protocols/tagged-protocol.js'
export { yamlXmlProtocol } from './protocols/yaml-protocol.js'
export { coerceBySchema } from './schema/coerce-by-schema.js'
export { createDynamicIfThenElseSchema } from './schema/if-then-else-schema.js'
export {
  type Descriptions,
  isFlatObject,
  renderSignature,
  type SignatureOptions,
} from './schema/signature.js'
export type { ToolChoice } from './sdk/call-params.js'
export type * from './sdk/parts.js'
export type { MediaStrategy } from './sdk/tool-result.js'
