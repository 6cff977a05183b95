export interface JsonFault {
  readonly at: number
  readonly message: string
}

const space = /[ \t\r\n]/
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y

/**
 * Where a value that begins at `start` is no strict JSON, and why; undefined if it is. What follows
 * it does not matter.
 */
export function findJsonFault(text: string, start: number): JsonFault | undefined {
  const closers: string[] = []
  let at = start
  /** What must come next. */
  let expects: 'value' | 'key' | 'comma' = 'value'
  const fault = (message: string): JsonFault => ({ at, message })
  const behindComma = () => /,[ \t\r\n]*$/.test(text.slice(Math.max(start, at - 100), at))
  for (;;) {
    while (space.test(text.charAt(at))) at++
    const char = text.charAt(at)
    if (char === '')
      return fault(`it ends too soon: ${JSON.stringify(closers.reverse().join(''))} is missing`)
    if (char === closers.at(-1)) {
      if (expects !== 'comma' && behindComma()) return fault('a comma before the end')
      closers.pop()
      at++
      expects = 'comma'
    } else if (expects === 'comma') {
      if (char !== ',')
        return fault(
          `${JSON.stringify(char)} where a comma or ${JSON.stringify(closers.at(-1))} should be`,
        )
      at++
      expects = closers.at(-1) === '}' ? 'key' : 'value'
      continue
    } else if (char === '"') {
      const end = endOfString(text, at)
      if (typeof end !== 'number') return end
      at = end
      if (expects === 'value') expects = 'comma'
      else {
        while (space.test(text.charAt(at))) at++
        if (text.charAt(at) !== ':') return fault('no colon behind a key')
        at++
        expects = 'value'
        continue
      }
    } else if (char === "'" || char === '`')
      return fault(`${char === "'" ? 'single quotes' : 'backticks'} in place of double ones`)
    else if (text.startsWith('//', at) || text.startsWith('/*', at) || char === '#')
      return fault('a comment')
    else if (expects === 'key') return fault('a key without quotes')
    else if (char === '{' || char === '[') {
      closers.push(char === '{' ? '}' : ']')
      at++
      expects = char === '{' ? 'key' : 'value'
      continue
    } else {
      literal.lastIndex = at
      const found = literal.exec(text)?.[0]
      if (found === undefined)
        return fault(`${JSON.stringify(wordAt(text, at))} is no value of JSON`)
      at += found.length
      expects = 'comma'
    }
    if (closers.length === 0) return undefined
  }
}

/** Behind the closing quote; or what is wrong with the string. */
function endOfString(text: string, start: number): number | JsonFault {
  for (let at = start + 1; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '"') return at + 1
    if (char < ' ')
      return {
        at,
        message: char === '\n' ? 'a line break in a string' : 'a control character in a string',
      }
    if (char !== '\\') continue
    if (!/^(?:["\\/bfnrt]|u[\da-fA-F]{4})/.test(text.slice(at + 1, at + 6)))
      return { at, message: 'an escape that JSON does not have' }
    at++
  }
  return { at: text.length, message: 'a string that does not end' }
}

const wordAt = (text: string, at: number) =>
  /^[^\s,:[\]{}"]{1,20}|./s.exec(text.slice(at, at + 20))?.[0] ?? ''
