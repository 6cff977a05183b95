import type { Body, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import { matchMarks } from '../match-marks.js'
import { createYamlReader, type YamlReader } from '../yaml/yaml-reader.js'
import { CUT, createMarkup } from './markup.js'
import { createTagReader } from './tag-reader.js'
import { createJsonContent, type ValueContent } from './value-content.js'
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
export interface YamlGrammar {
  readonly tag: string
  /** The tool that is called: the tag's, or the one that is forced. */
  readonly toolName: string
  /** What opens the next call, and so also ends one that cannot be read. */
  readonly opens: readonly string[]
}

export function createYamlBody(port: CallPort, { tag, toolName, opens }: YamlGrammar): Body {
  const { maxHeldChars, tools } = port
  const closeTag = `</${tag}>`
  const names = [...tools.shapeOf(toolName).propertyNames, ...tools.shapeOf(tag).propertyNames]
  const tagReader = createTagReader('<', tag)
  const start = createYamlStart(closeTag, names)
  let yaml: YamlReader | undefined
  let json: ValueContent | undefined
  /** What was read behind a JSON object. */
  let behind = ''
  const { closeLast, finish, breakOff, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName: toolName,
    ends: [closeTag],
    opens,
  })

  /** It is a call: what was read so far is read again, by the one who understands it. */
  const commit = (isJson: boolean, text: string) => {
    const writer = markup.openCall(tag)
    const given = tagReader.attributes().filter(([name]) => names.includes(name))
    if (isJson) {
      json = createJsonContent({ sink: writer.put, closeMark: closeTag, maxHeldChars, mayHaveKey: writer.mayHaveKey })
      goTo(json, afterJson)
    } else {
      yaml = createYamlReader({ writer, closeTag, startsCall, names, given, maxHeldChars })
      goTo(yaml, afterYaml)
    }
    markup.readAgain(text)
  }
  /** Another call's tag, up to the end of its name. */
  const startsCall = (text: string): boolean | undefined => {
    const match = matchMarks(text, opens)
    if (match === 'none') return false
    const isNamed = opens.some(open => text.startsWith(open) && /^[\s>/]/.test(text.slice(open.length)))
    return isNamed || (opens.some(open => open.startsWith(text)) ? undefined : false)
  }
  const readTag = (char: string) => {
    tagReader.read(char)
    if (tagReader.status() === 'failed') finish('rejected')
    else if (tagReader.isSelfClosing()) commit(false, closeTag)
    else if (tagReader.status() === 'done') goTo(readStart)
  }
  /** `<write_file>|`: is this a call? */
  const readStart = (char: string) => {
    start.read(char)
    if (start.status() === 'rejected') finish('rejected')
    else if (start.status() === 'proven') commit(start.isJson(), start.text())
  }
  const afterYaml = () => {
    if (yaml?.status() === 'done') closeLast(yaml.unread().length)
    else if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
  }
  const afterJson = () => {
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    else if (json?.status() === 'over') {
      json.close()
      goTo(readBehind)
      markup.readAgain(json.unread())
    }
  }
  const readBehind = (char: string) => {
    if (behind === '' && isSpace(char)) return
    behind += char
    if (behind === closeTag) closeLast()
    else if (!closeTag.startsWith(behind)) breakOff('text behind the arguments', behind)
  }

  return markup.bodyOf(readTag, isCut => {
    // What was cut may have been a call, and what it quotes must not become one.
    if (isAt(readStart) && isCut && start.isLikely()) commit(start.isJson(), start.text())
    if (!markup.readAllPending()) return
    if (!markup.writer()) return finish('rejected')
    const isWhole = !isCut && (isAt(readBehind) || yaml?.end() === true || json?.end(isCut) === true)
    if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
    else if (isWhole) closeLast(yaml?.unread().length)
    else closeLast(0, CUT)
  })
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createYamlBody(port, { tag, toolName: forcedToolName ?? tag, opens }),
  }))
}
