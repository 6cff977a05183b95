import { compactProtocol } from '../compact-protocol.js'
import type { ModelFormat } from '../model-format.js'
import { morphXmlProtocol } from '../morph-xml-protocol.js'

/** The family of formats that are no model's own. */
export const anyModel = 'any model that follows instructions'

export const morphXml: ModelFormat = {
  id: 'morph_xml',
  aliases: ['xml'],
  family: anyModel,
  grammar: 'element',
  create: () => morphXmlProtocol(),
}
export const wire: ModelFormat = { id: 'wire', family: anyModel, grammar: 'pairs', create: () => compactProtocol() }
export const compactJson: ModelFormat = {
  id: 'compact_json',
  family: anyModel,
  grammar: 'pairs',
  create: () => compactProtocol({ syntax: 'json' }),
}
export const line: ModelFormat = {
  id: 'line',
  family: anyModel,
  grammar: 'lines',
  create: () => compactProtocol({ syntax: 'line' }),
}
