import type { Body, CallGrammar, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import type { Cursor, Reading } from '../cursor.js'
import { CUT, malformed } from '../events.js'
import { peek, readNextMark } from '../marks.js'
import { readJson } from '../read-json.js'
import { Token } from '../value-token.js'
import { readJsonCalls } from './json-body.js'
import { createMarkup } from './markup.js'

/**
 * Calls that name the tool in their markup and hold the arguments as JSON behind it, alone or several in a section:
 *
 *     <section><call>functions.get_weather:0<args>{"city": "Paris"}</call><call>…</call></section>
 *
 * All from the open mark to the JSON is the *header*. End marks and the section may be missing, and the JSON may stand in a fence.
 */
export interface NamedJsonGrammar {
  readonly section?: { readonly opens: readonly string[]; readonly closes: readonly string[] } | undefined
  /** What opens a call. A header that holds the first of them again is none. */
  readonly opens: readonly string[]
  /** Matches a whole header, open mark included; the group `name` is the tool's. */
  readonly header: RegExp
  /** What ends a header, so that it is certain before the JSON comes. Otherwise the object's brace makes it certain. */
  readonly separators?: readonly string[] | undefined
  /** What closes a call. */
  readonly ends: readonly string[]
  /** What stands around text in the JSON in place of quotes. */
  readonly quoteMark?: string | undefined
  /** Behind an open mark calls may also stand as JSON envelopes. */
  readonly hasEnvelopes?: boolean | undefined
  /** A declared tool's name at the beginning of a line, with an object behind it, is a call whose marks were stripped. */
  readonly hasBareNames?: boolean | undefined
}

interface NamedJsonOptions extends NamedJsonGrammar {
  /** The mark that opened the call; undefined behind a section's. */
  readonly openMark: string | undefined
  /** Only a declared tool makes a call, and only in front of what looks like an object. */
  readonly isWeak: boolean
}

const MAX_HEADER_CHARS = 512
const FENCE = '```'

function* readNamedJsonCalls(cursor: Cursor, port: CallPort, options: NamedJsonOptions): Body {
  const { opens, ends, header, separators = [], quoteMark, isWeak } = options
  const closes = options.section?.closes ?? []
  const tailMarks = [...ends, ...closes]
  const allMarks = [...tailMarks, ...opens, FENCE]
  // In a text without marks a tool's name is not proof enough to end a string.
  const strongMarks = isWeak ? tailMarks : [...tailMarks, ...opens]
  const markup = createMarkup(cursor, port, { ends: [], opens: strongMarks })
  const endOf = (text: string, marks: readonly string[]) => marks.find(each => text.endsWith(each))
  let hasFence = false
  /** The call is closed by a mark, not only by its last brace. */
  let hasEnded = false

  /** Where a header ends that begins like this, and whether that is certain; false where it is none. */
  const endOfHeader = (head: string): string | false | undefined => {
    if (isWeak && !/[\s{"}]$/.test(head) && !opens.some(name => name.startsWith(head))) return false
    const first = opens[0] ?? ''
    if (!isWeak && head.length > first.length && head.endsWith(first)) return false
    // In a text without marks only what looks like an object proves a call.
    const stop = (isWeak ? /\{\s*["}]$/ : /\{$|(?<!\w)```$/).exec(head)?.[0] ?? endOf(head, tailMarks)
    if (stop !== undefined) return head.slice(0, -stop.length)
    return endOf(head, separators) ? head : isWeak && /["}]$/.test(head) ? false : undefined
  }
  // A brace too many is a slip of the model's, not text.
  const isSlip = (char: string) => isSpace(char) || (char === '}' && !hasEnded)
  /** Goes to the next call, and gives the mark that opens it; or the one that ends all; or nothing. */
  function* findNext(): Reading<string> {
    for (;;) {
      const found = yield* markup.nextMark(allMarks, isSlip)
      if (opens.includes(found) || (found === FENCE && !hasFence)) return found
      if (found || markup.takeBegun(tailMarks)) markup.claim()
      if (found !== FENCE && (!closes.length || !ends.includes(found))) return found
      hasEnded ||= found !== FENCE
      if (found === FENCE) hasFence = false
    }
  }
  // What stands between the section's mark and its first call is not for the user.
  const first = options.openMark ?? (yield* readNextMark(cursor, [...opens, ...closes], () => true, MAX_HEADER_CHARS))
  for (let mark = first; mark; mark = yield* findNext()) {
    if (!opens.includes(mark)) return closes.includes(mark) || ends.includes(mark) ? 0 : markup.leave()
    if (options.hasEnvelopes && !isWeak && !markup.hasCalled() && (yield* peek(cursor, startsEnvelope)))
      return yield* readJsonCalls(cursor, port, { ends: tailMarks, opens })
    const head = yield* readHeader(cursor, mark, endOfHeader)
    const name = (head && header.exec(head.trimEnd())?.groups?.name) || undefined
    if (!head || name === undefined || (isWeak && !port.tools.has(name))) break
    cursor.at += head.length - mark.length
    const { put, mayHaveKey } = markup.openCall(name)
    hasFence = false
    hasEnded = false
    let found = FENCE
    while (found === FENCE || found === 'json') {
      found = yield* markup.nextMark(['{', 'json', ...allMarks])
      hasFence ||= found === FENCE
    }
    cursor.at -= found.length
    if (found === '{') {
      const strong = hasFence ? [...strongMarks, FENCE] : strongMarks
      yield* markup.endCall(yield* readJson(cursor, put, { ends: strong, otherEnds: allMarks, quoteMark, mayHaveKey }))
    } else if (tailMarks.includes(found)) {
      put(Token.beginObject, '')
      put(Token.endObject, '')
      yield* markup.endCall()
    } else yield* markup.endCall(cursor.isOver ? CUT : malformed('no JSON object behind the name'))
  }
  return markup.leave()
}

/** Whether an envelope begins right behind the open mark. */
const startsEnvelope = (text: string): boolean | undefined => {
  const first = text.slice(0, MAX_HEADER_CHARS).trimStart().charAt(0)
  return first || text.length >= MAX_HEADER_CHARS ? /[{[]/.test(first) : undefined
}

/** Gives the header that begins with a mark which was read, as soon as its end shows. It is not taken. */
function* readHeader(
  cursor: Cursor,
  mark: string,
  endOfHeader: (head: string) => string | false | undefined,
): Reading<string | false | undefined> {
  let head = mark
  return yield* peek(cursor, text => {
    for (const char of text.slice(head.length - mark.length, MAX_HEADER_CHARS)) {
      head += char
      const end = endOfHeader(head)
      if (end !== undefined) return end
    }
    return text.length < MAX_HEADER_CHARS ? undefined : false
  })
}

/** Calls with the tool's name in the markup and the arguments as JSON. */
export function namedJsonCalls(grammar: NamedJsonGrammar): CallGrammar {
  return tools => {
    const bareNames = grammar.hasBareNames ? tools.names() : []
    const bare = { ...grammar, section: undefined, opens: bareNames, header: /^(?<name>.+)$/s, separators: [] }
    const strong = { ...grammar, openMark: undefined, isWeak: false }
    const mark = (text: string, options: NamedJsonOptions): Mark => ({
      text,
      read: (cursor, port) => readNamedJsonCalls(cursor, port, options),
    })
    return [
      ...(grammar.section?.opens ?? []).map(text => mark(text, strong)),
      ...grammar.opens.map(text => mark(text, { ...strong, openMark: text })),
      ...bareNames.map(text => ({
        ...mark(text, { ...bare, openMark: text, isWeak: true }),
        isAtLineStart: true,
      })),
    ]
  }
}
