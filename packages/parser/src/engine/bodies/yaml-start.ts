import { createArgumentWriter } from '../argument-writer.js'
import { isSpace } from '../characters.js'
import type { Shape } from '../shape.js'
import { entryName } from '../yaml/yaml-key.js'
import { border } from '../yaml/yaml-line.js'
import { createYamlReader } from '../yaml/yaml-reader.js'

/** If so much looks like arguments, it is. */
const MAX_PROOF_CHARS = 2048

/** A line that may become an entry, as far as it was read: quotes, JSON, or a word and its colon. */
const entryStart = /^(?:["'{]|[\p{L}\p{N}_$][\p{L}\p{N}_$./-]{0,127}\s*(?::|$))/u

/**
 * Tells a call from a tag that is only mentioned, by what stands behind the open tag: an argument of the tool in a line of
 * its own proves a call, and so does JSON. Another key needs the close tag, or a known key, behind it; until then the
 * arguments are read on trial.
 */
export function createYamlStart(closeTag: string, names: readonly string[], shape: Shape) {
  const maxHeldChars = Number.POSITIVE_INFINITY
  const writer = createArgumentWriter(shape, maxHeldChars)
  const trial = createYamlReader({ writer, closeTag, opens: [], names, given: [], maxHeldChars })
  let status: 'open' | 'proven' | 'rejected' = 'open'
  let text = ''
  /** The line being read, without the space at its beginning. */
  let line = ''
  let isTagLine = true
  /** The first entry was found; in a line of its own it is likely to be one. */
  let entry: 'likely' | 'doubtful' | undefined

  const settle = (isProven: boolean) => {
    status = isProven ? 'proven' : 'rejected'
  }
  const isSkipped = () => line === '' || (!isTagLine && (line.startsWith('#') || border.test(line.trimEnd())))
  const mayBeEntry = () =>
    entryStart.test(line) ||
    closeTag.startsWith(line) ||
    (!isTagLine && /^[-#`]/.test(line)) ||
    names.some(name => name.startsWith(line) || line.startsWith(name))
  /** Judges a line that is over. */
  const judge = () => {
    const name = entryName(line.trimEnd(), names)
    const isKnown = name !== undefined && names.includes(name)
    if (isSkipped()) return
    if ((isKnown && !isTagLine) || (!entry && /^\{\s*["'}]/.test(line))) settle(true)
    else if (entry) return
    else if (line.startsWith('{') || (isKnown && isTagLine)) entry = 'doubtful'
    else if (name !== undefined && !isTagLine) entry = 'likely'
    else settle(false)
  }

  return {
    read(char: string) {
      text += char
      if (char !== '\n' && (line || !isSpace(char))) line += char
      const isLong = text.length > MAX_PROOF_CHARS
      trial.feed(char, 0, 1)
      if (trial.status() === 'done' && line === closeTag) settle(true)
      else if (char === '\n' || isLong || trial.status() === 'done') judge()
      else if (!entry && line && !mayBeEntry()) settle(false)
      if (status === 'open' && (isLong || trial.status() !== 'reading'))
        settle(isLong ? entry === 'likely' : line.includes(closeTag))
      if (char !== '\n') return
      line = ''
      isTagLine = false
    },
    /** No more text comes. What was cut may have been a call, and what it quotes must not become one. */
    end(isCut: boolean) {
      judge()
      if (status === 'open') settle((trial.end(isCut) && text.includes(closeTag)) || (isCut && entry === 'likely'))
    },
    status: () => status,
    /** What was read. */
    text: () => text,
  }
}
