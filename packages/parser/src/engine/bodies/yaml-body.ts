import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Cursor } from '../cursor.js'
import type { Problem } from '../events.js'
import { readJson } from '../read-json.js'
import { Token } from '../value-token.js'
import { readYaml } from '../yaml/read-yaml.js'
import { createMarkup } from './markup.js'
import { putAttributes, readTag } from './tag-reader.js'
import { readYamlStart } from './yaml-start.js'

/**
 * Calls as elements whose tag is the tool's name, with the arguments as YAML:
 *
 *     <write_file>
 *     path: src/a.ts
 *     content: |
 *       if (a < b) {
 *         return
 *       }
 *     </write_file>
 *
 * The close tag counts at the beginning of a line and behind plain text; in quotes and in a block it is text, since a block is
 * indented. The arguments may also be one JSON object, or stand in the line of the tags.
 */
function* readYamlCall(cursor: Cursor, port: CallPort, tag: string): Body {
  const { tools } = port
  const closeTag = `</${tag}>`
  /** What opens the next call, and so also ends one that cannot be read. */
  const opens = tools.names().map(name => `<${name}`)
  const { propertyNames: names } = tools.shapeOf(tag)
  const markup = createMarkup(cursor, port, { ends: [closeTag], opens })

  const openTag = yield* readTag(cursor)
  if (!openTag) return undefined
  const start = openTag.isSelfClosing ? 'nothing' : yield* readYamlStart(cursor, closeTag, names)
  if (start === undefined) return undefined

  const writer = markup.openCall(tag)
  let problem: Problem | undefined
  if (start === 'json') problem = yield* readJson(cursor, writer.put, { ...writer, ends: [closeTag] })
  else {
    writer.put(Token.beginObject, '')
    putAttributes(openTag, names, writer.put)
    if (start === 'nothing') writer.put(Token.endObject, '')
    else problem = yield* readYaml(cursor, port, writer, closeTag)
  }
  yield* markup.endCall(problem)
  if (start === 'json' && !problem) {
    // A brace too many is a slip of the model's, and a fence may end here.
    const isEnd = (yield* markup.nextMark([closeTag], char => isSpace(char) || char === '}' || char === '`')) !== ''
    if (isEnd || markup.takeBegun([closeTag])) markup.claim()
  }
  return markup.leave()
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = tools =>
  tools.names().map(tag => ({
    text: `<${tag}`,
    read: (cursor, port) => readYamlCall(cursor, port, tag),
  }))
