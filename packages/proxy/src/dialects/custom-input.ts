import { isRecord } from '../is-record.js'
import type { Fields } from './fields.js'
import type { ShownTool } from './tool-map.js'

// A custom tool has one free text as its input. The model sees a function with one string argument:
//
//     { type: "custom", name: "apply_patch" }   apply_patch({"input": "*** Begin Patch\n…"})
//
// The client gets the text itself.

/** The argument that contains the text. */
const ARGUMENT = 'input'

/** Reads a custom tool. `format` may have a grammar, which the description then shows. */
export function readCustomTool(tool: Fields): ShownTool {
  const description = [tool.string('description'), describeFormat(tool.object('format'))]
  return {
    description: description.filter(Boolean).join('\n\n'),
    inputSchema: {
      type: 'object',
      properties: { [ARGUMENT]: { type: 'string', description: 'The input, as free text.' } },
      required: [ARGUMENT],
      additionalProperties: false,
    },
  }
}

/** `{ type: "grammar", syntax: "lark", definition }`; in chats the two are inside `grammar`. */
function describeFormat(format: Fields | undefined): string {
  const plain = `The argument \`${ARGUMENT}\` is the whole input, as free text.`
  if (format?.string('type') !== 'grammar') return plain
  const grammar = format.object('grammar') ?? format
  const definition = grammar.string('definition')
  if (definition === undefined) return plain
  const syntax = grammar.string('syntax') ?? 'lark'
  const kind = syntax === 'regex' ? 'regular expression' : `${syntax} grammar`
  return `${plain} It must match this ${kind}:\n\n${definition}`
}

/** The arguments that the model sees for an input: `{"input": "…"}`. */
export function customArguments(input: string): Readonly<Record<string, unknown>> {
  return { [ARGUMENT]: input }
}

/**
 * Returns the text in the arguments of a call. Undefined if they were cut off or contain no text: the
 * call must not be run then.
 */
export function readCustomInput(json: string): string | undefined {
  const args = parseRecord(json)
  if (!args) return undefined
  if (typeof args[ARGUMENT] === 'string') return args[ARGUMENT]
  // `{"patch": "…"}`: the only argument is the text, whatever its name.
  const [only, ...others] = Object.values(args)
  return typeof only === 'string' && others.length === 0 ? only : undefined
}

function parseRecord(json: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Decodes the text in `{"input": "…"}` while its JSON arrives. */
export interface CustomInputReader {
  /** Takes the next piece of the JSON. Returns the text that is certain now, which may be empty. */
  add(json: string): string
  /** Returns the part of the whole text that `add` has not returned. */
  rest(input: string): string
}

/** Longer beginnings are of other arguments. Their text is known only at the end. */
const MAX_HEAD_CHARS = 200

export function createCustomInputReader(): CustomInputReader {
  const head = /^\s*\{\s*"input"\s*:\s*"/
  let state: 'head' | 'text' | 'over' = 'head'
  /** JSON that is not decoded yet: `{"inp`, `\u00`. */
  let pending = ''
  /** The first half of a pair: `\ud83d` of `\ud83d\ude00`. */
  let half = ''
  const sent: string[] = []

  const readHead = () => {
    const found = head.exec(pending)
    if (found) {
      pending = pending.slice(found[0].length)
      state = 'text'
    } else if (pending.length > MAX_HEAD_CHARS) state = 'over'
  }
  const readText = (): string => {
    const { text, readChars, isOver } = decodeString(pending)
    if (isOver) state = 'over'
    pending = pending.slice(readChars)
    const whole = half + text
    half = /[\ud800-\udbff]$/.exec(whole)?.[0] ?? ''
    return whole.slice(0, whole.length - half.length)
  }
  return {
    add(json) {
      if (state === 'over') return ''
      pending += json
      if (state === 'head') readHead()
      const text = state === 'text' ? readText() : ''
      sent.push(text)
      return text
    },
    rest(input) {
      const known = sent.join('')
      return input.startsWith(known) ? input.slice(known.length) : ''
    },
  }
}

/** Decodes a JSON string up to its end quote, or up to an escape that is not complete. */
function decodeString(json: string): {
  readonly text: string
  readonly readChars: number
  readonly isOver: boolean
} {
  const piece = /[^"\\]+|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
  let readChars = 0
  while (piece.test(json)) readChars = piece.lastIndex
  const text = decodePieces(json.slice(0, readChars))
  const next = json.charAt(readChars)
  // `\x|`: no JSON, so nothing more is certain.
  const isBroken = next === '\\' && /^\\(?:[^"\\/bfnrtu]|u.{4})/.test(json.slice(readChars))
  return { text: text ?? '', readChars, isOver: text === undefined || next === '"' || isBroken }
}

/** Undefined for text that a JSON string must not contain, such as a line break. */
function decodePieces(pieces: string): string | undefined {
  try {
    const value: unknown = JSON.parse(`"${pieces}"`)
    return typeof value === 'string' ? value : undefined
  } catch {
    return undefined
  }
}
