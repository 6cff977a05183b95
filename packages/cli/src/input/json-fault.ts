/** The first place where a text is not strict JSON. */
export interface JsonFault {
  readonly at: number
  readonly message: string
}

const space = /[ \t\r\n]/
/** `true`, `null`, `-1.5e3` */
const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.])/y

/** A JSON value that is being checked. */
interface Check {
  readonly text: string
  readonly start: number
  at: number
  /** The brackets that must close, the innermost last. */
  readonly closers: string[]
  expects: 'value' | 'key' | 'comma'
}

/**
 * Returns the first fault of the value that begins at `start`; undefined if it is strict JSON. Text
 * after the value is ignored.
 */
export function findJsonFault(text: string, start: number): JsonFault | undefined {
  const check: Check = { text, start, at: start, closers: [], expects: 'value' }
  do {
    const fault = readToken(check)
    if (fault) return fault
  } while (check.closers.length > 0)
  return undefined
}

function readToken(check: Check): JsonFault | undefined {
  skipSpace(check)
  const { text, at, closers, expects } = check
  const char = text.charAt(at)
  // `{"a": [1|`
  if (char === '') return faultAt(check, describeEnd(closers))
  // `{"a": 1|}`
  if (char === closers.at(-1)) return readClose(check, char)
  // `{"a": 1|, "b": 2}`
  if (expects === 'comma') return readComma(check, char)
  if (char === '"') return expects === 'key' ? readKey(check) : readString(check)
  const slip = findSlip(text, at)
  if (slip !== undefined) return faultAt(check, slip)
  // `{|a: 1}`
  if (expects === 'key') return faultAt(check, 'a key without quotes')
  return char === '{' || char === '[' ? readOpen(check, char) : readLiteral(check)
}

function faultAt({ at }: Check, message: string): JsonFault {
  return { at, message }
}

function skipSpace(check: Check): void {
  while (space.test(check.text.charAt(check.at))) check.at++
}

function describeEnd(closers: readonly string[]): string {
  const missing = [...closers].reverse().join('')
  return `the text ends too soon: ${missing ? `\`${missing}\`` : 'a value'} is missing`
}

function readClose(check: Check, closer: string): JsonFault | undefined {
  const { text, start, at, closers, expects } = check
  const before = text.slice(Math.max(start, at - 100), at)
  // `[1, 2, |]`
  if (expects !== 'comma' && /,[ \t\r\n]*$/.test(before))
    return faultAt(check, `a comma before \`${closer}\``)
  closers.pop()
  check.at++
  check.expects = 'comma'
  return undefined
}

function readComma(check: Check, char: string): JsonFault | undefined {
  const closer = check.closers.at(-1)
  // `{"a": 1 |"b": 2}`
  if (char !== ',') return faultAt(check, `expected a comma or \`${closer}\`, found \`${char}\``)
  check.at++
  check.expects = closer === '}' ? 'key' : 'value'
  return undefined
}

function readOpen(check: Check, char: '{' | '['): undefined {
  check.closers.push(char === '{' ? '}' : ']')
  check.at++
  check.expects = char === '{' ? 'key' : 'value'
  return undefined
}

function readKey(check: Check): JsonFault | undefined {
  const fault = readString(check)
  if (fault) return fault
  skipSpace(check)
  // `{"a" |1}`
  if (check.text.charAt(check.at) !== ':') return faultAt(check, 'no colon after a key')
  check.at++
  check.expects = 'value'
  return undefined
}

function readString(check: Check): JsonFault | undefined {
  const end = endOfString(check.text, check.at)
  if (typeof end !== 'number') return end
  check.at = end
  check.expects = 'comma'
  return undefined
}

function readLiteral(check: Check): JsonFault | undefined {
  literal.lastIndex = check.at
  const found = literal.exec(check.text)?.[0]
  // `{"a": |None}`
  if (found === undefined)
    return faultAt(check, `\`${wordAt(check.text, check.at)}\` is not a value`)
  check.at += found.length
  check.expects = 'comma'
  return undefined
}

/** Quotes and comments that JSON does not have. */
function findSlip(text: string, at: number): string | undefined {
  const char = text.charAt(at)
  if (char === "'") return 'single quotes instead of double quotes'
  if (char === '`') return 'backticks instead of double quotes'
  const isComment = text.startsWith('//', at) || text.startsWith('/*', at) || char === '#'
  return isComment ? 'a comment' : undefined
}

/** Returns the offset after the closing quote, or what is wrong with the string. */
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
      return { at, message: 'an escape in a string that JSON does not have' }
    at++
  }
  return { at: text.length, message: 'a string without a closing quote' }
}

const wordAt = (text: string, at: number) =>
  /^[^\s,:[\]{}"]{1,20}|./s.exec(text.slice(at, at + 20))?.[0] ?? ''
