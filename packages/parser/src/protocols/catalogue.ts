import { compactProtocol } from './compact-protocol.js'
import { type FormatGrammar, formatMaker } from './model-format.js'
import { morphXmlProtocol } from './morph-xml-protocol.js'
import type { EngineProtocol } from './tool-call-protocol.js'
import { yamlXmlProtocol } from './yaml-xml-protocol.js'

// All built-in formats. What is not imported is not bundled.
export * from './formats/gemma-formats.js'
export * from './formats/json-formats.js'
export { minimaxM3 } from './formats/minimax-m3-format.js'
export * from './formats/named-json-formats.js'
export * from './formats/pythonic-formats.js'
export * from './formats/tagged-formats.js'

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
