import { compactProtocol } from '../protocols/compact-protocol.js'
import { morphXmlProtocol } from '../protocols/element-protocol.js'
import type { EngineProtocol } from '../protocols/protocol.js'
import { yamlXmlProtocol } from '../protocols/yaml-protocol.js'
import { type FormatGrammar, formatMaker } from './model-format.js'

/** The family of formats that are no model's own. */
const anyModel = 'any model that follows instructions'

const ownFormat = (grammar: FormatGrammar, names: string, create: () => EngineProtocol) =>
  formatMaker(grammar, create)(names, () => ({ writtenBy: [anyModel] }))

export const morphXml = /* @__PURE__ */ ownFormat('element', 'morph_xml xml', () =>
  morphXmlProtocol(),
)

export const wire = /* @__PURE__ */ ownFormat('pairs', 'wire', () => compactProtocol())

export const compactJson = /* @__PURE__ */ ownFormat('pairs', 'compact_json', () =>
  compactProtocol({ syntax: 'json' }),
)

export const line = /* @__PURE__ */ ownFormat('lines', 'line', () =>
  compactProtocol({ syntax: 'line' }),
)

export const yamlXml = /* @__PURE__ */ ownFormat('yaml', 'yaml_xml yaml', yamlXmlProtocol)
