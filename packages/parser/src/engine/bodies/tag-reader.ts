/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384
/** Nor is this long a name an attribute's; it is matched anew with each character. */
const MAX_ATTRIBUTE_CHARS = 128

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.-]*'
const tagEnd = /^ ?\/?>$/
const attributeStart = new RegExp(`^ (${NAME}) ?= ?["']$`, 'u')
const beginning = new RegExp(`^(?: | ?/| ${NAME} ?=? ?)$`, 'u')

/** Reads the rest of an open tag behind its name: attributes up to `>` or `/>`. Stops at the first thing that is neither. */
export function createTagReader(bracket: string, name: string) {
  let status: 'reading' | 'done' | 'failed' = 'reading'
  let text = `${bracket}${name}`
  /** What was read behind the last attribute, up to the quote of the next; space counts as one space. */
  let part = ''
  let quote = ''
  let valueAt = 0
  const attributes: (readonly [string, string])[] = []

  const readOutside = (char: string) => {
    const isSpace = /\s/.test(char)
    if (isSpace && part.endsWith(' ')) return
    part += isSpace ? ' ' : char
    if (tagEnd.test(part)) status = 'done'
    else if (attributeStart.test(part)) {
      quote = char
      valueAt = text.length
    } else if (part.length > MAX_ATTRIBUTE_CHARS || !beginning.test(part)) status = 'failed'
  }
  return {
    read(char: string) {
      text += char
      if (text.length > MAX_TAG_CHARS) status = 'failed'
      else if (quote === '') readOutside(char)
      else if (char === quote) {
        attributes.push([attributeStart.exec(part)?.[1] ?? '', text.slice(valueAt, -1)])
        part = ''
        quote = ''
      }
    },
    status: () => status,
    name: () => name,
    attributes: (): readonly (readonly [string, string])[] => attributes,
    isSelfClosing: () => status === 'done' && text.endsWith('/>'),
    /** The tag as far as it was read. */
    text: () => text,
  }
}

export type TagReader = ReturnType<typeof createTagReader>
