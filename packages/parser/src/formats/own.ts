import { compactProtocol } from '../protocols/compact-protocol.js'
import { morphXmlProtocol } from '../protocols/element-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import { yamlXmlProtocol } from '../protocols/yaml-protocol.js'
import { type FormatGrammar, formatMaker } from './model-format.js'

/** The family of formats that no model was trained on. */
const anyModel = 'any model that follows instructions'

const ownFormat = (grammar: FormatGrammar, names: string, create: () => EngineProtocol) =>
  formatMaker(grammar, create)(names, () => ({ writtenBy: [anyModel] }))

/**
 *     <get_weather>
 *     <city>Paris</city>
 *     </get_weather>
 *
 * See `morphXmlProtocol`.
 */
export const morphXml = /* @__PURE__ */ ownFormat('element', 'morph_xml xml', () =>
  morphXmlProtocol(),
)

/**
 *     <call>get_weather city=Paris</call>
 *
 * See `compactProtocol`.
 */
export const wire = /* @__PURE__ */ ownFormat('pairs', 'wire', () => compactProtocol())

/**
 *     <call>get_weather {"city":"Paris"}</call>
 *
 * See `compactProtocol`.
 */
export const compactJson = /* @__PURE__ */ ownFormat('pairs', 'compact_json', () =>
  compactProtocol({ syntax: 'json' }),
)

/**
 *     @get_weather city=Paris
 *
 * See `compactProtocol`.
 */
export const line = /* @__PURE__ */ ownFormat('lines', 'line', () =>
  compactProtocol({ syntax: 'line' }),
)

/**
 *     <get_weather>
 *     city: Paris
 *     </get_weather>
 *
 * See `yamlXmlProtocol`.
 */
export const yamlXml = /* @__PURE__ */ ownFormat('yaml', 'yaml_xml yaml', yamlXmlProtocol)
