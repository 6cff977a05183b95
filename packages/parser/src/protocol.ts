/**
 * The names for authors of a new format: protocols made from data, the grammars that the engine can
 * read, and the events that it emits. An application that uses a built-in format needs only
 * `@toolglot/parser`.
 *
 * @module protocol
 */

// Protocols.

export type { FormatGrammar, ModelFormat } from './formats/model-format.js'
export { defineProtocol } from './protocols/define-protocol.js'
export type { FormatTemplates } from './protocols/format-protocol.js'
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
export {
  type TaggedProtocolOptions,
  type TagTemplates,
  taggedProtocol,
} from './protocols/tagged-protocol.js'

// Grammars: how calls are found in a text and read.

export type { ArgumentWriter } from './engine/argument-writer.js'
export type {
  CallGrammar,
  CallOutput,
  CallReader,
  Mark,
  MarkProof,
  MarkStrength,
  ToolNames,
  ToolShapes,
} from './engine/grammar.js'
export { type JsonMarks, jsonCalls } from './engine/json/json-calls.js'
export { lineCalls, pairCalls } from './engine/pairs/pair-calls.js'
export type { ReasoningMarks } from './engine/reasoning-marks.js'
export type { ArgumentTags } from './engine/tags/argument-notations.js'
export { type TaggedGrammar, taggedCalls } from './engine/tags/parameter-tags.js'
export { elementCalls } from './engine/tags/tool-tags.js'
export type { Cursor, Reading } from './engine/text/cursor.js'
export type { NamedMarks } from './engine/text/mark-rule.js'
export type { Verdict } from './engine/text/verdict.js'
export type { NameMatch, ToolLookup } from './engine/tool-lookup.js'
export type { Shape } from './engine/values/shape.js'
export type { Token, ValueSink } from './engine/values/tokens.js'

// The scanner, and what it emits.

export type {
  CallEndEvent,
  EmitEvent,
  EngineEvent,
  OnTrace,
  Problem,
  ProblemCode,
  ProblemEvent,
  Trace,
} from './engine/events.js'
export type { Scanner } from './engine/scanner.js'

// Writing calls and results.

export { readToolOutput } from './sdk/tool-result.js'
export { escapeControlTokens } from './writing/control-tokens.js'
export { escapeMarks, escapeTags, spacedJson } from './writing/json-text.js'
export type { ToolListTemplates } from './writing/tool-prompt.js'

// The request, as a protocol gets it from the middleware.

export type {
  CreateScanner,
  ParserOptions,
  ReceivedContext,
  ReceivedOptions,
  ReportError,
  RequestContext,
} from './options/parser-options.js'
export type { Content, FunctionTool, Part, ToolCall, ToolResult } from './sdk/parts.js'
