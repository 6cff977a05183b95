/** The deepest nesting of a body that is read. */
export const MAX_JSON_DEPTH = 256

const QUOTE = 0x22
const BACKSLASH = 0x5c

/**
 * True if JSON is nested deeper than `MAX_JSON_DEPTH`. Looked for before the JSON is parsed, because
 * much of what comes after that calls itself for each level, and has a stack that ends.
 */
export function isTooDeep(json: Uint8Array): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at++) {
    const byte = json[at]
    if (byte === QUOTE) {
      at = endOfString(json, at)
      if (at < 0) return false
    } else if (byte === 0x5b || byte === 0x7b) {
      depth++
      if (depth > MAX_JSON_DEPTH) return true
    } else if (byte === 0x5d || byte === 0x7d) depth--
  }
  return false
}

/** The same for JSON in a string, such as the arguments of a call. */
export function isTextTooDeep(json: string): boolean {
  return json.length > MAX_JSON_DEPTH && isTooDeep(new TextEncoder().encode(json))
}

/** Returns where the quote is that ends the string which begins at `start`; -1 if there is none. */
function endOfString(json: Uint8Array, start: number): number {
  let end = json.indexOf(QUOTE, start + 1)
  // `"a\"b"`: an odd number of backslashes before a quote makes it a part of the string.
  while (end >= 0 && isEscaped(json, end)) end = json.indexOf(QUOTE, end + 1)
  return end
}

function isEscaped(json: Uint8Array, quote: number): boolean {
  let at = quote - 1
  while (json[at] === BACKSLASH) at--
  return (quote - at) % 2 === 0
}
