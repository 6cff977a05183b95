import type { CallGrammar, Mark } from '../grammar.js'
import { namedMark } from '../named-mark.js'
import { toolTagMark } from './calls-in-tags.js'
import { type ElementGrammar, readElements } from './elements.js'

/** A tag of a shorter name opens a call only in answers to a format that has such tags. */
const MIN_TAG_NAME_CHARS = 4

/**
 * Makes the grammar of calls in tags that are named like the tools: `<write_file>` (decision 84).
 * `markOf` makes the mark of a tag.
 */
export function toolTagCalls(markOf: (grammar: ElementGrammar) => Mark): CallGrammar {
  return tools => {
    const names = tools.names()
    if (names.length === 0) return []
    const { lookup } = tools
    const toolOpens = names.map(name => `<${name}`)
    // One literal, no spread: V8 may give each object that is made by spreading another a hidden
    // class of its own.
    const grammarOf = (name: string, otherClose?: string): ElementGrammar => ({
      call: { open: `<${name}`, nameEnd: '>', close: `</${name}>`, otherClose },
      name,
      toolOpens,
      lookup,
      bracket: '<',
      trimsBlockLayout: true,
      readsCdata: true,
    })
    const create = (name: string) => {
      const tool = lookup.find(name)
      return markOf(grammarOf(name, tool === name ? undefined : `</${tool}>`))
    }
    const createShort = (name: string): Mark => ({ ...create(name), strength: 'own' })
    const short = { lookup, create: createShort, maxChars: MIN_TAG_NAME_CHARS - 1 }
    const long = { lookup, create, minChars: MIN_TAG_NAME_CHARS, close: ['</', '>'] as const }
    return [
      // `<ls`: text that contains markup has many tags as short as this.
      namedMark({ text: '<', strength: 'own' }, short),
      namedMark({ text: '<', strength: 'tag' }, long),
    ]
  }
}

/** Calls in tags that are named like the tools, with elements as arguments. */
export const elementCalls = toolTagCalls(grammar =>
  toolTagMark(grammar, (cursor, _output, call) => readElements(cursor, call, grammar)),
)
