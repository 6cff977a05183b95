import { type NamedJsonGrammar, namedJsonCalls } from '../engine/json/named-json-calls.js'
import type { FormatDefinition } from './format-definition.js'
import { formatProtocol } from './format-protocol.js'
import type { EngineProtocol } from './protocol.js'

/**
 * A format with the tool's name in its markup, and the arguments as JSON after it. The marks of calls
 * and sections are those in `call` and `calls`, unless `opens`, `ends` or `section` are given.
 */
interface NamedJsonForm
  extends Partial<Omit<FormatDefinition, 'call'> & NamedJsonGrammar>,
    Pick<FormatDefinition, 'call'> {
  readonly header: RegExp
  /** Returns other spellings of a mark that are read too. */
  readonly spell?: ((mark: string) => readonly string[]) | undefined
}

export function namedJsonProtocol(form: NamedJsonForm): EngineProtocol {
  const splitMarks = (text: string) => {
    const mark = /<[^<>]+>/.exec(text)?.[0] ?? text
    return mark === '' ? [] : [...new Set([mark, ...(form.spell?.(mark) ?? [])])]
  }
  const [opens = [], ends = []] = form.call.split(/\$.*\$args/s).map(splitMarks)
  const [sectionOpens, closes = []] = form.calls?.split('$calls').map(splitMarks) ?? []
  const allEnds = form.ends ?? ends
  const mayLackEnd = !allEnds.some(end => form.call.includes(end))
  const hasOwnFence = form.call.includes('```')
  const section = sectionOpens && { opens: sectionOpens, closes }
  return formatProtocol({
    grammar: namedJsonCalls({ section, opens, ends, mayLackEnd, hasOwnFence, ...form }),
    howTo:
      sample => `To call a function, write its name and a JSON object with its arguments exactly like this:

${sample(['function_name', '{"parameter": "value"}'])}

Two calls look like this:

${sample(['function_name', '{"parameter": "one"}'], ['function_name', '{"parameter": "two"}'])}`,
    ...form,
  })
}
