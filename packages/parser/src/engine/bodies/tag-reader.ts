/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384
/** Nor is this an attribute's name, with the space around it; that is matched anew with each character. */
const MAX_NAME_CHARS = 256

const NAME = '[\\p{L}_:][\\p{L}\\p{N}_:.-]*'
const tagEnd = /^\s*\/?>$/
const valueStart = new RegExp(`^\\s+${NAME}\\s*=\\s*["']$`, 'u')
const attribute = new RegExp(`^\\s+(${NAME})\\s*=\\s*["'](.*)["']$`, 'su')
const beginning = new RegExp(`^(?:\\s+|\\s*/|\\s+${NAME}\\s*=?\\s*)$`, 'u')

/** Reads the rest of an open tag behind its name: attributes up to `>` or `/>`. Stops at the first thing that is neither. */
export function createTagReader(bracket: string, name: string) {
  let status: 'reading' | 'done' | 'failed' = 'reading'
  let text = `${bracket}${name}`
  /** What was read behind the last attribute, and the quote of the value that has begun there. */
  let part = ''
  let quote = ''
  const attributes: (readonly [string, string])[] = []
  return {
    read(char: string) {
      text += char
      part += char
      if (text.length > MAX_TAG_CHARS) status = 'failed'
      else if (quote && char === quote) {
        const [, key = '', value = ''] = attribute.exec(part) ?? []
        attributes.push([key, value])
        part = ''
        quote = ''
      } else if (quote) return
      else if (tagEnd.test(part)) status = 'done'
      else if (valueStart.test(part)) quote = char
      else if (part.length > MAX_NAME_CHARS || !beginning.test(part)) status = 'failed'
    },
    status: () => status,
    name: () => name,
    attributes: (): readonly (readonly [string, string])[] => attributes,
    isSelfClosing: () => status === 'done' && text.endsWith('/>'),
    /** The tag as far as it was read. */
    text: () => text,
  }
}
