export { closestName, didYouMean } from './closest-name.js'
export { elementCalls } from './engine/bodies/element-body.js'
export { type JsonMarks, jsonCalls } from './engine/bodies/json-body.js'
export { lineCalls, pairCalls } from './engine/bodies/pair-body.js'
export { type TaggedGrammar, taggedCalls } from './engine/bodies/tagged-body.js'
export type { CallGrammar, Mark, ToolShapes } from './engine/body.js'
export type {
  CallEndEvent,
  EmitEvent,
  EngineEvent,
  OnTrace,
  Problem,
  ProblemCode,
  Trace,
} from './engine/events.js'
export type { Scanner } from './engine/scanner.js'
export type { ReasoningMarks } from './engine/thinking.js'
export { createFormatMiddleware } from './middleware.js'
export * from './migration-names.js'
export type {
  ErrorCode,
  ErrorMetadata,
  ForcedChoice,
  MiddlewareOptions,
  OnError,
  ParserOptions,
  ReceivedOptions,
  ReportError,
  ToolChoice,
  ToolResponsePromptTemplate,
} from './options.js'
export * from './presets.js'
export * from './protocols/compact-protocol.js'
export {
  defineProtocol,
  type FormatExtras,
  type ProtocolDefinition,
} from './protocols/define-protocol.js'
export {
  detectProtocol,
  type ProtocolDetection,
  type ProtocolHints,
} from './protocols/detect-protocol.js'
export type { FormatTemplates } from './protocols/format-protocol.js'
export { type JsonMixProtocolOptions, jsonMixProtocol } from './protocols/json-mix-protocol.js'
export type { FormatGrammar, ModelFormat } from './protocols/model-format.js'
export { type MorphXmlProtocolOptions, morphXmlProtocol } from './protocols/morph-xml-protocol.js'
export {
  getProtocol,
  getProtocolInfo,
  listProtocols,
  type ProtocolInfo,
  type ProtocolLike,
} from './protocols/registry.js'
export { type TaggedProtocolOptions, taggedProtocol } from './protocols/tagged-protocol.js'
export * from './protocols/tool-call-protocol.js'
export { yamlXmlProtocol } from './protocols/yaml-xml-protocol.js'
export { coerceBySchema } from './schema/coerce-by-schema.js'
export { createDynamicIfThenElseSchema } from './schema/if-then-else-schema.js'
export {
  type Descriptions,
  isFlatObject,
  renderSignature,
  type SignatureOptions,
} from './schema/signature.js'
export { type DebugSummary, isToolChoiceActive, type ToolCallOptions } from './sdk/call-params.js'
export {
  type LanguageModelLike,
  type ToolCallMiddleware,
  toolCallOptions,
} from './sdk/middleware-types.js'
export type * from './sdk/parts.js'
export type { MediaStrategy } from './sdk/tool-result.js'
export * from './tool-call-middleware.js'
