// All built-in formats. What is not imported is not bundled.
export * from './formats/gemma-formats.js'
export * from './formats/json-formats.js'
export { minimaxM3 } from './formats/minimax-m3-format.js'
export * from './formats/named-json-formats.js'
export { compactJson, line, morphXml, wire, yamlXml } from './formats/own-formats.js'
export * from './formats/pythonic-formats.js'
export * from './formats/tagged-formats.js'
