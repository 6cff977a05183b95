import { getProtocolInfo, listProtocols } from '@toolglot/parser'

/** The syntaxes of this project, which no model was trained on: those of `compactTools`. */
export const ownSyntaxes = ['line', 'wire', 'compact_json']

/** Protocols for any model. They are compared with one another. */
const forAnyModel = ['hermes', 'fenced_json', 'morph_xml', ...ownSyntaxes, 'yaml_xml']

/**
 * Returns the protocols for benchmarks: those for any model, and the first one of each other grammar.
 * The other protocols of a grammar differ only in their marks.
 */
export function benchProtocols(): string[] {
  const seen = new Set(forAnyModel.map(name => getProtocolInfo(name)?.grammar))
  return listProtocols().filter(name => {
    const grammar = getProtocolInfo(name)?.grammar
    if (forAnyModel.includes(name)) return true
    if (seen.has(grammar)) return false
    seen.add(grammar)
    return true
  })
}
