/**
 * Names that have changed or moved, so that old imports work: those of `@ai-sdk-tool/parser` 2.x to
 * 5.x, earlier names of this package, and names that are in `@toolglot/parser/protocol` now.
 * MIGRATE.md lists them. All of them are in this file, and nothing in this package uses them.
 */

import { kExaone2, qwen3Coder } from './formats/catalogue.js'
import type { ProtocolHints } from './formats/detect-protocol.js'
import { getProtocolInfo, listProtocols } from './formats/registry.js'
import { createFormatMiddleware } from './middleware/format-middleware.js'
import type { ToolResponsePromptTemplate } from './middleware/options.js'
import { yamlXmlToolMiddleware } from './middleware/presets.js'
import type { ToolCallOptions } from './middleware/request-options.js'
import type { OnError } from './options/parser-options.js'
import * as protocol from './protocol.js'
import { morphXmlProtocol } from './protocols/element-protocol.js'
import { jsonMixProtocol } from './protocols/json-protocol.js'
import type { EngineProtocol, ToolCallProtocol } from './protocols/protocol.js'
import { yamlXmlProtocol } from './protocols/yaml-protocol.js'
import type { Part } from './sdk/parts.js'
import type { MediaStrategy } from './sdk/tool-result.js'

/** @deprecated A name from 4.x. Use `jsonMixProtocol`, or `protocol: 'hermes'`. */
export const hermesProtocol = jsonMixProtocol
/** @deprecated A name from 3.x. Use `jsonMixProtocol`, or `protocol: 'hermes'`. */
export const jsonProtocol = jsonMixProtocol
/** @deprecated A name from 3.x. Use `morphXmlProtocol`, or `protocol: 'morph_xml'`. */
export const xmlProtocol = morphXmlProtocol
/** @deprecated A name from 3.x. Use `yamlXmlProtocol`, or `protocol: 'yaml_xml'`. */
export const yamlProtocol = yamlXmlProtocol

/** @deprecated A name from 4.x. Use `getProtocol('qwen3_coder')`, or `protocol: 'qwen3_coder'`. */
export const qwen3CoderProtocol = (): EngineProtocol => qwen3Coder.create()
/** @deprecated A name from 4.x. Use `getProtocol('qwen3_coder')`, or `protocol: 'qwen3_coder'`. */
export const Qwen3CoderToolParser = qwen3CoderProtocol
/** @deprecated A name from 4.x. Use `getProtocol('qwen3_coder')`, or `protocol: 'qwen3_coder'`. */
export const uiTarsXmlProtocol = qwen3CoderProtocol
/** @deprecated A name from 5.x. Use `getProtocol('k_exaone2')`, or `protocol: 'k_exaone2'`. */
export const kExaone2Protocol = (): EngineProtocol => kExaone2.create()
/** @deprecated A name from 5.x. Use `getProtocol('k_exaone2')`, or `protocol: 'k_exaone2'`. */
export const KExaone2ToolParser = kExaone2Protocol

/** @deprecated A name from 3.x. Use `yamlXmlToolMiddleware`. */
export const yamlToolMiddleware = yamlXmlToolMiddleware
/**
 * @deprecated A name from 5.x. Use `createFormatMiddleware([kExaone2])`; `kExaone2` is in
 * `@toolglot/parser/formats`.
 */
export const kExaone2ToolMiddleware = /* @__PURE__ */ createFormatMiddleware([kExaone2])

/** @deprecated A name from 3.x. Use `ToolCallProtocol`. */
export type TCMProtocol = ToolCallProtocol
/** @deprecated A name from 3.x. Use `ToolCallProtocol`. */
export type TCMCoreProtocol = ToolCallProtocol
/** @deprecated A name from 2.x. Use `OnError`. */
export type OnErrorFn = OnError
/** @deprecated A name from 2.x. Use the type of the option: `MiddlewareOptions['debug']`. */
export type DebugLevel = 'off' | 'stream' | 'parse'
/** @deprecated A name from 5.x. Use `ToolResponsePromptTemplate`. */
export type ToolResponsePromptTemplateResult = ReturnType<ToolResponsePromptTemplate>
/** @deprecated A name from 5.x. Use `Part`. */
export type ToolResponseUserContentPart = Part
/** @deprecated A name from 5.x. Use `MediaStrategy`. */
export type ToolResponseMediaMode = MediaStrategy
/**
 * @deprecated A name from 2.x. Use `toolCallOptions`, or `ToolCallOptions` for the type of what is
 * under the key.
 */
export interface ToolCallMiddlewareProviderOptions {
  readonly toolCallMiddleware?: ToolCallOptions | undefined
}

/** @deprecated Use `getProtocolInfo`. */
export const protocolInfo = getProtocolInfo
/** @deprecated Use `listProtocols`. */
export const protocolNames = listProtocols
/** @deprecated Use `FormatExtras` of `@toolglot/parser/protocol`. */
export type FormatTraits = protocol.FormatExtras
/** @deprecated Use `FormatTemplates` of `@toolglot/parser/protocol`. */
export type FormatForm = protocol.FormatTemplates
/** @deprecated Use `ProtocolHints`. */
export type ProtocolTraces = ProtocolHints
/** @deprecated Use `CallPosition` of `@toolglot/parser/protocol`. */
export type CallPlace = protocol.CallPosition

// Names that moved to `@toolglot/parser/protocol`.

/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const defineProtocol = protocol.defineProtocol
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const elementCalls = protocol.elementCalls
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const isEngineProtocol = protocol.isEngineProtocol
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const jsonCalls = protocol.jsonCalls
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const lineCalls = protocol.lineCalls
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const pairCalls = protocol.pairCalls
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const taggedCalls = protocol.taggedCalls
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export const taggedProtocol = protocol.taggedProtocol
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type CallEndEvent = protocol.CallEndEvent
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type CallGrammar = protocol.CallGrammar
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type CallPosition = protocol.CallPosition
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type EmitEvent = protocol.EmitEvent
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type EngineEvent = protocol.EngineEvent
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type FormatContext = protocol.FormatContext
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type FormatExtras = protocol.FormatExtras
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type FormatGrammar = protocol.FormatGrammar
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type FormatTemplates = protocol.FormatTemplates
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type JsonMarks = protocol.JsonMarks
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type Mark = protocol.Mark
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type OnTrace = protocol.OnTrace
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type Problem = protocol.Problem
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ProblemCode = protocol.ProblemCode
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ProtocolDefinition = protocol.ProtocolDefinition
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ReasoningMarks = protocol.ReasoningMarks
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ReceivedContext = protocol.ReceivedContext
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ReceivedOptions = protocol.ReceivedOptions
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ReceivedPromptTemplate = protocol.ReceivedPromptTemplate
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ReportError = protocol.ReportError
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type Scanner = protocol.Scanner
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type TaggedGrammar = protocol.TaggedGrammar
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type TaggedProtocolOptions = protocol.TaggedProtocolOptions
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type ToolShapes = protocol.ToolShapes
/** @deprecated Import it from `@toolglot/parser/protocol`. */
export type Trace = protocol.Trace
