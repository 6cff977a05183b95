import type { CallGrammar, CallPort } from '../body.js'
import { type OldBody as Body, oldBodyOf, readOld } from '../old-body.js'
import { putText, Token } from '../value-token.js'
import { createYamlReader, type YamlReader } from '../yaml/yaml-reader.js'
import { namedJsonCalls } from './named-json-body.js'
import { CUT, createMarkup } from './old-markup.js'
import { createTagReader } from './tag-reader.js'
import { createYamlStart } from './yaml-start.js'

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
 * The close tag counts at the beginning of a line; in a block it is text, since a block is indented. The arguments may
 * also be one JSON object, or stand in the line of the tags.
 */
function createYamlBody(port: CallPort, tag: string, forcedToolName: string | undefined): Body {
  const { maxHeldChars, tools } = port
  const toolName = forcedToolName ?? tag
  /** What opens the next call, and so also ends one that cannot be read. */
  const opens = tools.names().map(name => `<${name}`)
  const closeTag = `</${tag}>`
  const names = [toolName, tag].flatMap(name => tools.shapeOf(name).propertyNames)
  const tagReader = createTagReader('<', tag)
  const start = createYamlStart(closeTag, names)
  let yaml: YamlReader | undefined
  const { closeLast, finish, breakOff, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: [closeTag],
    opens,
  })

  /** It is a call: what was read so far is read again. */
  const commit = (text: string) => {
    const writer = markup.openCall(tag)
    yaml = createYamlReader({ writer, closeTag, opens, names, maxHeldChars })
    for (const [name, value] of tagReader.attributes().filter(([key]) => names.includes(key))) {
      writer.put(Token.key, name)
      putText(Token.beginRaw, value, writer.put)
    }
    goTo(yaml, afterYaml)
    markup.readAgain(text)
  }
  const readJson = () => {
    const calls = namedJsonCalls({ opens: [`<${tag}>`], header: /^<(?<name>.*)>$/s, ends: [closeTag] })
    const [json] = calls({ tools, forcedToolName })
    if (json) markup.handOver(oldBodyOf(json.read, port), start.text())
  }
  const readTag = (char: string) => {
    tagReader.read(char)
    if (tagReader.status() === 'failed') finish('rejected')
    else if (tagReader.isSelfClosing()) commit(closeTag)
    else if (tagReader.status() === 'done') goTo(readStart)
  }
  /** `<write_file>|`: is this a call? */
  const readStart = (char: string) => {
    start.read(char)
    settleStart()
  }
  const settleStart = () => {
    if (start.status() === 'rejected') finish('rejected')
    else if (start.status() === 'yaml') commit(start.text())
    else if (start.status() === 'json') readJson()
  }
  const afterYaml = () => {
    if (yaml?.status() === 'done') closeLast(yaml.unread().length)
    else if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
  }

  return markup.bodyOf(readTag, isCut => {
    if (isAt(readStart)) {
      start.end(isCut)
      settleStart()
    }
    if (!markup.readAllPending()) return
    if (!markup.writer()) return finish('rejected')
    if (!yaml?.end(isCut) && yaml?.status() !== 'failed') closeLast(0, CUT)
    else afterYaml()
  })
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = ({ tools, forcedToolName }) =>
  tools.names().map(tag => ({
    text: `<${tag}`,
    read: (cursor, port) => readOld(cursor, port, port => createYamlBody(port, tag, forcedToolName)),
  }))
