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

// Where the body stands.
const TAG = 0 //     <write_file|>
const START = 1 //   <write_file>|       is this a call?
const YAML = 2 //    <write_file>\npa|th: a
const JSON_ARGS = 3 //  <write_file>{"pa|th": …
const BEHIND = 4 //  <write_file>{…}|

export function createYamlBody(port: CallPort, { tag, toolName, opens }: YamlGrammar): Body {
  const { maxHeldChars, tools } = port
  const closeTag = `</${tag}>`
  const names = [...tools.shapeOf(toolName).propertyNames, ...tools.shapeOf(tag).propertyNames]
  const tagReader = createTagReader('<', tag)
  const start = createYamlStart(closeTag, names)
  let state = TAG
  let yaml: YamlReader | undefined
  let json: ValueContent | undefined
  /** What was read behind a JSON object. */
  let behind = ''
  const { closeLast, finish, isOpen, ...markup } = createMarkup(port, {
    forcedToolName: toolName,
    ends: [closeTag],
    opens,
  })
  const breakOff = (message: string, unread: string) => markup.unread(markup.breakOff(message, unread).length)

  /** It is a call: what was read so far is read again, by the one who understands it. */
  const commit = (isJson: boolean, text: string) => {
    const writer = markup.openCall(tag)
    const given = tagReader.attributes().filter(([name]) => names.includes(name))
    if (isJson) {
      json = createJsonContent({ sink: writer.put, closeMark: closeTag, maxHeldChars, mayHaveKey: writer.mayHaveKey })
      state = JSON_ARGS
    } else {
      yaml = createYamlReader({ writer, closeTag, startsCall, names, given, maxHeldChars })
      state = YAML
    }
    readAgain(text)
  }
  const readAgain = (text: string) => {
    const at = body.feed(text, 0, text.length)
    if (!isOpen()) markup.unread(text.length - at)
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
    else if (tagReader.status() === 'done') state = START
  }
  const readStart = (char: string) => {
    start.read(char)
    if (start.status() === 'rejected') finish('rejected')
    else if (start.status() === 'proven') commit(start.isJson(), start.text())
  }
  const readYaml = (chunk: string, from: number, to: number): number => {
    const at = yaml?.feed(chunk, from, to) ?? to
    if (yaml?.status() === 'done') closeLast(yaml.unread().length)
    else if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
    return at
  }
  const readJson = (chunk: string, from: number, to: number): number => {
    const at = json?.feed(chunk, from, to) ?? to
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    else if (json?.status() === 'over') {
      json.close()
      state = BEHIND
      readAgain(json.unread())
    }
    return at
  }
  const readBehind = (char: string) => {
    if (behind === '' && isSpace(char)) return
    behind += char
    if (behind === closeTag) closeLast()
    else if (!closeTag.startsWith(behind)) breakOff('text behind the arguments', behind)
  }

  const body = markup.createBody({
    state: () => state,
    chars: { [TAG]: readTag, [START]: readStart, [BEHIND]: readBehind },
    chunks: { [YAML]: readYaml, [JSON_ARGS]: readJson },
    end(isCut) {
      // What was cut may have been a call, and what it quotes must not become one.
      if (state === START && isCut && start.isLikely()) commit(start.isJson(), start.text())
      if (!isOpen() || markup.isBroken()) return
      if (!markup.writer()) return finish('rejected')
      const isWhole = !isCut && (state === BEHIND || yaml?.end() === true || json?.end(isCut) === true)
      if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
      else if (isWhole) closeLast(yaml?.unread().length)
      else closeLast(0, CUT)
    },
  })
  return body
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createYamlBody(port, { tag, toolName: forcedToolName ?? tag, opens }),
  }))
}
