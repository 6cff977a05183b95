import type { Body, CallGrammar, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { matchMarks } from '../match-marks.js'
import { Token } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './markup.js'

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

interface BodyOptions extends NamedJsonGrammar {
  /** The mark that opened the call; undefined behind a section's. */
  readonly openMark: string | undefined
  /** Only a declared tool makes a call, and only in front of what looks like an object. */
  readonly isWeak: boolean
  readonly forcedToolName: string | undefined
}

const MAX_HEADER_CHARS = 512
const FENCES = ['```json', '```']

// Where the body stands.
const SECTION = 0 //  <section>|<call>
const HEADER = 1 //   <call>functions.get_w|eather:0<args>
const GAP = 2 //      <args>| {…}                 the call is certain, its arguments have not begun
const OBJECT = 3 //   <args>{"ci|ty": …}
const BEHIND = 4 //   {…}|</call>|</section>      also where the object only lacks its brackets

function createNamedJsonBody(port: CallPort, options: BodyOptions): Body {
  const { openMark, opens, ends, header, separators = [], quoteMark, isWeak, forcedToolName } = options
  const closes = options.section?.closes ?? []
  const tailMarks = [...ends, ...closes]
  // In a text without marks a tool's name is not proof enough to end a string.
  const strongMarks = isWeak ? tailMarks : [...tailMarks, ...opens]
  let state = openMark === undefined ? SECTION : HEADER
  /** The header, then what stands between it and the arguments, then what may be a mark behind them. */
  let held = openMark ?? ''
  let hasFence = false
  let reader: JsonReader | undefined
  /** The object broke off, but lacks only brackets if a mark stands here. */
  let isTorn = false
  let hasEnded = false
  /** Characters behind the last call and its marks; the text's again if no further call follows. */
  let unclaimedChars = 0

  const { writer, closeCall, finish, isOpen, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: tailMarks,
    opens: isWeak ? [] : opens,
    onClose() {
      isTorn = false
      unclaimedChars = 0
      held = ''
      state = BEHIND
    },
    onBroken: unreadChars => (unreadChars ? finish('done', unreadChars) : passMark('')),
  })
  const leave = () => markup.leave(unclaimedChars)
  const endsWithAny = (marks: readonly string[]) => marks.find(each => held.endsWith(each))

  /** Begins the call that a header names. False if it is no header. */
  const commit = (text: string): boolean => {
    const trimmed = text.trimEnd()
    const fence = FENCES.find(each => trimmed.endsWith(each)) ?? ''
    const name = header.exec(trimmed.slice(0, trimmed.length - fence.length).trimEnd())?.groups?.name
    if (name === undefined || (isWeak && !port.tools.has(name))) return false
    hasFence = fence !== ''
    hasEnded = false
    markup.openCall(name)
    return true
  }
  const passMark = (passed: string) => {
    unclaimedChars = 0
    held = ''
    if (!closes.length || closes.includes(passed)) return finish('done')
    hasEnded = true
  }
  const closeEmpty = (end: string) => {
    writer()?.put(Token.beginObject, '')
    writer()?.put(Token.endObject, '')
    closeCall()
    passMark(end)
  }
  const breakOff = (message: string, unread: string) => {
    if (writer()) readBehindAll(markup.breakOff(message, unread))
    else leave()
  }

  /** What stands between the section's mark and its first call is not for the user. */
  const readSection = (char: string) => {
    held += char
    const found = endsWithAny(opens)
    if (found) {
      held = found
      state = HEADER
    } else if (closes.includes(held.trim())) finish('done')
    else if (endsWithAny(closes) || held.length > MAX_HEADER_CHARS) leave()
  }
  const readHeader = (char: string) => {
    if (isEnvelope(char)) return markup.handOver(createJsonBody(port, { ends: tailMarks, opens, forcedToolName }), char)
    held += char
    unclaimedChars++
    if (isWeak && !/[\s{"}]/.test(char) && !opens.some(name => name.startsWith(held))) return leave()
    const end = endsWithAny(tailMarks)
    if (end) return !isWeak && commit(held.slice(0, -end.length)) ? closeEmpty(end) : leave()
    const first = opens[0] ?? ''
    if (!isWeak && held.length > first.length && held.endsWith(first)) return leave()
    if (endsWithAny(separators)) {
      if (!commit(held)) return leave()
      held = ''
      state = GAP
    } else if (isWeak ? char === '"' || char === '}' : char === '{') {
      const at = isWeak ? held.search(/\{\s*["}]$/) : held.length - 1
      if (at >= 0 && commit(held.slice(0, at))) beginObject(held.slice(at))
      else leave()
    } else if (held.length > MAX_HEADER_CHARS) leave()
  }
  const readGap = (char: string) => {
    held += char
    const text = held.trim()
    const before = text.slice(0, -1).trimEnd()
    if (text.endsWith('{') && ['', ...FENCES].includes(before)) {
      hasFence = before !== ''
      return beginObject('{')
    }
    const match = matchMarks(text, tailMarks)
    if (text && typeof match === 'object') return closeEmpty(text)
    if ((match === 'none' && !FENCES.some(each => each.startsWith(text))) || held.length > MAX_HEADER_CHARS)
      breakOff('no JSON object behind the name', held)
  }
  const beginObject = (text: string) => {
    held = ''
    state = OBJECT
    const call = writer()
    if (!call) return
    const marks = hasFence ? [...strongMarks, '```'] : strongMarks
    reader = createJsonReader(call.put, { ...call, maxHeldChars: port.maxHeldChars, ends: marks, quoteMark })
    readObject(text, 0, text.length)
  }
  const readObject = (chunk: string, from: number, to: number): number => {
    if (!reader) return to
    const at = reader.feed(chunk, from, to)
    if (reader.status() === 'reading') return at
    if (reader.status() === 'done') closeCall()
    else if (!reader.isRepairable()) {
      breakOff(reader.error(), reader.unread())
      return at
    } else {
      state = BEHIND
      isTorn = true
    }
    readBehindAll(reader.unread())
    return at
  }
  /** Reads what was looked at behind the value. That is at most a mark, so that no call can begin in it. */
  const readBehindAll = (text: string) => {
    for (const char of text.split('')) {
      if (!isOpen()) markup.unread(1)
      else if (state === BEHIND) readBehind(char)
      else readHeader(char)
    }
  }
  const readBehind = (char: string) => {
    unclaimedChars++
    held += char
    const match = matchMarks(held, hasFence ? [...tailMarks, ...opens, '```'] : [...tailMarks, ...opens])
    if (match === 'maybe') return
    if (match === 'none') return readOther(char)
    const isOpen = opens.includes(held)
    const found = held
    if (isTorn) {
      reader?.repair()
      closeCall()
      if (isOpen) return finish('done', found.length)
    }
    if (isOpen) {
      held = found
      state = HEADER
    } else if (found === '```') {
      hasFence = false
      unclaimedChars = 0
      held = ''
    } else passMark(found)
  }
  const readOther = (char: string) => {
    if (isTorn) {
      isTorn = false
      return breakOff(reader?.error() ?? '', held)
    }
    // A brace too many is a slip of the model's, not text.
    const isSkipped = held.length === 1 && (isSpace(char) || (char === '}' && !hasEnded))
    if (!isSkipped || unclaimedChars > port.maxHeldChars) return leave()
    held = ''
  }
  /** An envelope begins right behind the open mark. */
  const isEnvelope = (char: string) =>
    options.hasEnvelopes === true &&
    !isWeak &&
    !markup.hasCalled() &&
    (char === '{' || char === '[') &&
    opens.includes(held.trimEnd())

  return markup.createBody({
    state: () => state,
    chars: { [SECTION]: readSection, [HEADER]: readHeader, [GAP]: readGap, [BEHIND]: readBehind },
    chunks: { [OBJECT]: readObject },
    end(isCut) {
      if (state === SECTION || state === HEADER) return leave()
      if (state === BEHIND && !isTorn) {
        // The beginning of an end mark is markup; a single character proves nothing, nor does the beginning of a call.
        const isEnd = held === '' || (held.length > 1 && matchMarks(held, tailMarks) === 'maybe')
        return finish('done', isEnd ? 0 : unclaimedChars)
      }
      if (state === BEHIND) markup.breakOff(reader?.error() ?? '', held)
      else markup.closeLast(0, state === OBJECT && reader?.end(!isCut) ? undefined : CUT)
    },
  })
}

/** Calls with the tool's name in the markup and the arguments as JSON. */
export function namedJsonCalls(grammar: NamedJsonGrammar): CallGrammar {
  return ({ tools, forcedToolName }) => {
    const bare = { ...grammar, section: undefined, opens: tools.names(), header: /^(?<name>.+)$/s, separators: [] }
    const bareNames = grammar.hasBareNames ? tools.names() : []
    const marks = (texts: readonly string[], createBody: (port: CallPort, text: string) => Body): Mark[] =>
      texts.map(text => ({ text, createBody: port => createBody(port, text) }))
    return [
      ...marks(grammar.section?.opens ?? [], port =>
        createNamedJsonBody(port, { ...grammar, openMark: undefined, isWeak: false, forcedToolName }),
      ),
      ...marks(grammar.opens, (port, openMark) =>
        createNamedJsonBody(port, { ...grammar, openMark, isWeak: false, forcedToolName }),
      ),
      ...marks(bareNames, (port, openMark) =>
        createNamedJsonBody(port, { ...bare, openMark, isWeak: true, forcedToolName }),
      ).map(mark => ({ ...mark, isAtLineStart: true })),
    ]
  }
}
