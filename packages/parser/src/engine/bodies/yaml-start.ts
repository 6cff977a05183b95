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
  /** Where the first entry stands. */
  let entryPlace: 'tag line' | 'own line' | undefined

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
    const isJson = line.startsWith('{')
    const name = entryName(line.trimEnd().replace(/^\{\s*/, ''), names)
    const isKnown = name !== undefined && names.includes(name)
    if (isSkipped()) return
    if (isKnown && !isTagLine) settle(true)
    else if (entryPlace) return
    else if (/^\{\s*["'}]/.test(line)) settle(true)
    else if (isJson ? name === undefined && line.trimEnd() !== '{' : name === undefined || (isTagLine && !isKnown)) settle(false)
    else entryPlace = isTagLine ? 'tag line' : 'own line'
  }

  return {
    read(char: string) {
      text += char
      if (char !== '\n' && (line || !isSpace(char))) line += char
      const isLong = text.length > MAX_PROOF_CHARS
      trial.feed(char, 0, 1)
      if (trial.status() === 'done' && line === closeTag) settle(true)
      else if (char === '\n' || isLong || trial.status() === 'done') judge()
      else if (!entryPlace && line && !mayBeEntry()) settle(false)
      if (status === 'open' && (isLong || trial.status() !== 'reading'))
        settle(isLong ? entryPlace === 'own line' : trial.status() === 'done')
      if (char !== '\n') return
      line = ''
      isTagLine = false
    },
    /** No more text comes. What was cut may have been a call, and what it quotes must not become one. */
    end(isCut: boolean) {
      judge()
      if (status === 'open') settle((trial.end(isCut) && text.includes(closeTag)) || (isCut && entryPlace === 'own line'))
    },
    status: () => status,
    /** What was read. */
    text: () => text,
  }
}
