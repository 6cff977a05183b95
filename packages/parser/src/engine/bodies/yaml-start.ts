import { createArgumentWriter } from '../argument-writer.js'
import { isSpace } from '../characters.js'
import type { Shape } from '../shape.js'
import { entryName } from '../yaml/yaml-key.js'
import { border, skipBlank } from '../yaml/yaml-line.js'
import { createYamlReader } from '../yaml/yaml-reader.js'

/** If so much looks like arguments, it is. */
const MAX_PROOF_CHARS = 2048

/** What may become an entry, as far as it was read: quotes, or a word and its colon. */
const entryStart = /^(?:["']|[\p{L}\p{N}_$][\p{L}\p{N}_$./-]{0,127}\s*(?::|$))/u
/** What is JSON, and what may become it. */
const json = /^\{\s*(?:["'}]|[\p{L}_$][\p{L}\p{N}_$.-]*\s*:)/u
const jsonStart = /^\{\s*(?:[\p{L}_$][\p{L}\p{N}_$.-]{0,127}\s*)?$/u

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool in a line of its
 * own proves a call, and so does JSON. Another key needs the close tag, or a known key, behind it; until then it is read on trial.
 */
export function createYamlStart(closeTag: string, names: readonly string[], shape: Shape) {
  const maxHeldChars = Number.POSITIVE_INFINITY
  const writer = createArgumentWriter(shape, maxHeldChars)
  const trial = createYamlReader({ writer, closeTag, opens: [], names, maxHeldChars })
  let status: 'open' | 'yaml' | 'json' | 'rejected' = 'open'
  let text = ''
  /** The line being read, without the space at its beginning; of JSON all from the first bracket on. */
  let line = ''
  let isTagLine = true
  /** The first entry was found; in a line of its own it is likely to be one. */
  let entry: 'likely' | 'doubtful' | undefined

  const settle = (isCall: boolean) => {
    status = isCall ? 'yaml' : 'rejected'
  }
  const isSkipped = () =>
    closeTag.startsWith(line) || (!isTagLine && (line.startsWith('#') || border.test(line.trimEnd())))
  const mayBeEntry = () =>
    entryStart.test(line) ||
    closeTag.startsWith(line) ||
    (!isTagLine && /^[-#`.]/.test(line)) ||
    names.some(name => name.startsWith(line) || line.startsWith(name))
  /** Judges a line that is over. */
  const judge = () => {
    const name = entryName(line.trimEnd(), names)
    const isKnown = name !== undefined && names.includes(name)
    if (isSkipped()) return
    if (isKnown && !isTagLine) settle(true)
    else if (name !== undefined && (isKnown || !isTagLine)) entry ??= isTagLine ? 'doubtful' : 'likely'
    else if (!entry) settle(false)
  }
  const readJson = (isLong: boolean) => {
    if (json.test(line)) status = 'json'
    else if (isLong || !jsonStart.test(line)) settle(false)
  }
  const readYaml = (char: string, isLong: boolean) => {
    if (line || !isTagLine) trial.feed(char, 0, 1)
    const isBroken = trial.status() === 'failed'
    const isClosed = trial.status() === 'done' || ((isTagLine || isBroken) && line.includes(closeTag))
    if (char === '\n' || isLong || isClosed) judge()
    else if (!entry && !mayBeEntry()) settle(false)
    if (status !== 'open') return
    if (isClosed) settle(true)
    else if (isLong || isBroken) settle(isLong && entry === 'likely')
  }

  return {
    read(char: string) {
      const isJson = !entry && line.startsWith('{')
      const isLong = text.length >= MAX_PROOF_CHARS
      text += char
      if (isJson || (char !== '\n' && (line || !isSpace(char)))) line += char
      if (!entry && line.startsWith('{')) return isSpace(char) && !isLong ? undefined : readJson(isLong)
      readYaml(char, isLong)
      if (char !== '\n') return
      line = ''
      isTagLine = false
    },
    /** No more text comes. What was cut may have been a call, and what it quotes must not become one. */
    end(isCut: boolean) {
      judge()
      if (status === 'open') settle(isCut ? entry === 'likely' : trial.end(false) && text.includes(closeTag))
    },
    status: () => status,
    /** What was read; arguments in the line of the tags as if they stood in lines of their own. */
    text() {
      if (status === 'json') return line
      return isTagLine ? `${line.slice(0, -closeTag.length)}\n${closeTag}` : skipBlank(text)
    },
  }
}
