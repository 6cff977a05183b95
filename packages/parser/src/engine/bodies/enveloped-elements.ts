import type { CallGrammar } from '../body.js'
import { createElementBody } from './element-body.js'
import type { ElementEnvelope, ElementSyntax } from './element-syntax.js'
import { sectionCalls } from './section-body.js'

/** Calls as elements of one tag, in sections of them: `<calls><call name="f"><city>Paris</city></call></calls>`. */
export function envelopedElementCalls(syntax: ElementSyntax, envelope: ElementEnvelope): CallGrammar {
  const { bracket } = syntax
  const { tag, section } = envelope
  const text = `${bracket}${tag}`
  return ({ forcedToolName }) =>
    sectionCalls({ marks: { open: `${bracket}${section}>`, close: `${bracket}/${section}>` } }, [
      {
        text,
        createBody: port => createElementBody(port, { ...syntax, envelope, tag, forcedToolName, opens: [text] }),
      },
    ])
}
