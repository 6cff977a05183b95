import type { ArgumentWriter } from '../argument-writer.js'
import type { Body, BodyStatus, CallGrammar, CallPort } from '../body.js'
import { isSpace } from '../characters.js'
import type { Problem } from '../events.js'
import { matchMarks } from '../match-marks.js'
import { createYamlReader, type YamlReader } from '../yaml/yaml-reader.js'
import { type BrokenTail, createBrokenTail } from './broken-tail.js'
import { openCall } from './open-call.js'
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
const BROKEN = 5
const OVER = 6

export function createYamlBody(port: CallPort, { tag, toolName, opens }: YamlGrammar): Body {
  const { maxHeldChars, tools } = port
  const closeTag = `</${tag}>`
  const names = [...tools.shapeOf(toolName).propertyNames, ...tools.shapeOf(tag).propertyNames]
  const tagReader = createTagReader('<', tag)
  const start = createYamlStart(closeTag, names)
  let state = TAG
  let status: BodyStatus = 'open'
  let givenBack = 0
  let writer: ArgumentWriter | undefined
  let yaml: YamlReader | undefined
  let json: ValueContent | undefined
  /** What was read behind a JSON object. */
  let behind = ''
  /** Reads what is left of a call that cannot be read, and why it cannot. */
  let tail: BrokenTail | undefined
  let trouble = ''

  const finish = (result: BodyStatus, unreadChars = 0) => {
    state = OVER
    status = result
    givenBack = unreadChars
  }
  const closeCall = (problem?: Problem, unreadChars = 0) => {
    port.close(problem)
    finish('done', unreadChars)
  }
  const breakOff = (message: string, unread: string) => {
    trouble = message
    state = BROKEN
    tail = createBrokenTail(port, [closeTag], opens)
    const at = readBroken(unread, 0, unread.length)
    if (status !== 'open') givenBack += unread.length - at
  }
  const readBroken = (chunk: string, from: number, to: number): number => {
    const at = tail?.feed(chunk, from, to) ?? to
    const unread = tail?.giveBack()
    if (unread !== undefined) closeCall({ code: 'malformed-arguments', message: trouble }, unread)
    return at
  }

  /** It is a call: what was read so far is read again, by the one who understands it. */
  const commit = (isJson: boolean, text: string) => {
    writer = openCall(port, tag, toolName)
    const given = tagReader.attributes().filter(([name]) => names.includes(name))
    if (isJson) {
      json = createJsonContent({ sink: writer.put, closeMark: closeTag, maxHeldChars, mayHaveKey: writer.mayHaveKey })
      state = JSON_ARGS
    } else {
      yaml = createYamlReader({ writer, closeTag, startsCall, names, given, maxHeldChars })
      state = YAML
    }
    const at = feed(text, 0, text.length)
    if (status !== 'open') givenBack += text.length - at
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
    if (yaml?.status() === 'done') closeCall(undefined, yaml.unread().length)
    else if (yaml?.status() === 'failed') breakOff(yaml.error(), yaml.unread())
    return at
  }
  const readJson = (chunk: string, from: number, to: number): number => {
    const at = json?.feed(chunk, from, to) ?? to
    if (json?.status() === 'failed') breakOff(json.error(), json.unread())
    else if (json?.status() === 'over') {
      const rest = json.unread()
      json.close()
      state = BEHIND
      const read = feed(rest, 0, rest.length)
      if (status !== 'open') givenBack += rest.length - read
    }
    return at
  }
  const readBehind = (char: string) => {
    if (behind === '' && isSpace(char)) return
    behind += char
    if (behind === closeTag) closeCall()
    else if (!closeTag.startsWith(behind)) breakOff('text behind the arguments', behind)
  }

  const feed = (chunk: string, from: number, to: number): number => {
    let at = from
    while (at < to && status === 'open') {
      if (state === YAML) at = readYaml(chunk, at, to)
      else if (state === JSON_ARGS) at = readJson(chunk, at, to)
      else if (state === BROKEN) at = readBroken(chunk, at, to)
      else if (state === TAG) readTag(chunk.charAt(at++))
      else if (state === START) readStart(chunk.charAt(at++))
      else readBehind(chunk.charAt(at++))
    }
    return at
  }

  return {
    feed,
    end(isCut) {
      // What was cut may have been a call, and what it quotes must not become one.
      if (state === START && isCut && start.isLikely()) commit(start.isJson(), start.text())
      if (status !== 'open') return
      if (!writer) return finish('rejected')
      if (state === BROKEN) {
        tail?.end()
        return closeCall({ code: 'malformed-arguments', message: trouble })
      }
      const isWhole = !isCut && (state === BEHIND || yaml?.end() === true || json?.end(isCut) === true)
      const cut: Problem = { code: 'cut-call', message: 'the text ended inside the arguments' }
      closeCall(isWhole ? undefined : cut, isWhole ? (yaml?.unread().length ?? 0) : 0)
    },
    status: () => status,
    giveBack: () => givenBack,
  }
}

/** Calls as elements whose tag is the tool's name, with the arguments as YAML. */
export const yamlCalls: CallGrammar = ({ tools, forcedToolName }) => {
  const opens = tools.names().map(name => `<${name}`)
  return tools.names().map(tag => ({
    text: `<${tag}`,
    createBody: port => createYamlBody(port, { tag, toolName: forcedToolName ?? tag, opens }),
  }))
}
