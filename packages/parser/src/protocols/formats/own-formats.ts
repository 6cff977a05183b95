import { compactProtocol } from '../compact-protocol.js'
import { formatMaker } from '../model-format.js'
import { morphXmlProtocol } from '../morph-xml-protocol.js'
import { yamlXmlProtocol } from '../yaml-xml-protocol.js'

/** The family of formats that are no model's own. */
export const anyModel = 'any model that follows instructions'

const elementFormat = /* @__PURE__ */ formatMaker('element', morphXmlProtocol)
const pairsFormat = /* @__PURE__ */ formatMaker('pairs', compactProtocol)
const lineFormat = /* @__PURE__ */ formatMaker('lines', compactProtocol)
const yamlFormat = /* @__PURE__ */ formatMaker('yaml', yamlXmlProtocol)

export const morphXml = /* @__PURE__ */ elementFormat('morph_xml xml', () => ({ writtenBy: [anyModel] }))
export const wire = /* @__PURE__ */ pairsFormat('wire', () => ({ writtenBy: [anyModel] }))
export const compactJson = /* @__PURE__ */ pairsFormat('compact_json', () => ({
  writtenBy: [anyModel],
  syntax: 'json',
}))
export const line = /* @__PURE__ */ lineFormat('line', () => ({ writtenBy: [anyModel], syntax: 'line' }))
export const yamlXml = /* @__PURE__ */ yamlFormat('yaml_xml yaml', () => ({ writtenBy: [anyModel] }))
