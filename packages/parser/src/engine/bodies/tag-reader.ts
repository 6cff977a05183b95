/** Reads the rest of an open tag behind its name: attributes up to `>` or `/>`. Stops at the first thing that is neither. */
export interface TagReader {
  read(char: string): void
  status(): 'reading' | 'done' | 'failed'
  name(): string
  attributes(): readonly (readonly [string, string])[]
  isSelfClosing(): boolean
  /** The tag as far as it was read. */
  text(): string
}

/** A tag longer than this is none. */
const MAX_TAG_CHARS = 16_384

// <name |a|=|"b|" >
const GAP = 0
const ATTRIBUTE = 1
const EQUALS = 2
const VALUE_START = 3
const VALUE = 4
const SLASH = 5
const DONE = 6
const FAILED = 7

export function createTagReader(bracket: string, name: string): TagReader {
  let state = GAP
  let text = `${bracket}${name}`
  let attribute = ''
  let value = ''
  let quote = ''
  const attributes: [string, string][] = []

  const isSpace = (char: string) => /\s/.test(char)
  const readGap = (char: string) => {
    if (char === '>') state = DONE
    else if (char === '/') state = SLASH
    else if (isSpace(char)) return
    else if (/[\p{L}_:]/u.test(char) && isSpace(text.charAt(text.length - 2))) {
      attribute = char
      state = ATTRIBUTE
    } else state = FAILED
  }
  const readAttribute = (char: string) => {
    if (/[\p{L}\p{N}_:.-]/u.test(char)) attribute += char
    else {
      state = EQUALS
      readEquals(char)
    }
  }
  const readEquals = (char: string) => {
    if (char === '=') state = VALUE_START
    else if (!isSpace(char)) state = FAILED
  }
  const readValueStart = (char: string) => {
    if (isSpace(char)) return
    if (char !== '"' && char !== "'") {
      state = FAILED
      return
    }
    quote = char
    value = ''
    state = VALUE
  }
  const readValue = (char: string) => {
    if (char !== quote) {
      value += char
      return
    }
    attributes.push([attribute, value])
    state = GAP
  }

  return {
    read(char) {
      text += char
      if (text.length > MAX_TAG_CHARS) state = FAILED
      else if (state === GAP) readGap(char)
      else if (state === ATTRIBUTE) readAttribute(char)
      else if (state === EQUALS) readEquals(char)
      else if (state === VALUE_START) readValueStart(char)
      else if (state === VALUE) readValue(char)
      else if (state === SLASH) state = char === '>' ? DONE : FAILED
    },
    status: () => (state === DONE ? 'done' : state === FAILED ? 'failed' : 'reading'),
    name: () => name,
    attributes: () => attributes,
    isSelfClosing: () => state === DONE && text.endsWith('/>'),
    text: () => text,
  }
}
