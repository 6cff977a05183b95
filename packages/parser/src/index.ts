export { getProtocol, protocolNames } from './protocols/registry.js'
export { defineProtocol } from './protocols/define-protocol.js'
export { jsonMixProtocol } from './protocols/json-mix-protocol.js'
export { morphXmlProtocol } from './protocols/morph-xml-protocol.js'
