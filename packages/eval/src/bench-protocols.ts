import { protocolInfo, protocolNames } from '@toolglot/parser'

/** Protocols for any model: these are compared with each other. */
const forAnyModel = [
  'hermes',
  'fenced_json',
  'morph_xml',
  'wire',
  'compact_json',
  'line',
  'yaml_xml',
]

/**
 * The protocols that benchmarks run with: those for any model, and of the formats that models were
 * trained on the first of each grammar. The others differ from it only in their marks.
 */
export function benchProtocols(): string[] {
  const seen = new Set(forAnyModel.map(name => protocolInfo(name)?.grammar))
  return protocolNames().filter(name => {
    const grammar = protocolInfo(name)?.grammar
    if (forAnyModel.includes(name)) return true
    if (seen.has(grammar)) return false
    seen.add(grammar)
    return true
  })
}
