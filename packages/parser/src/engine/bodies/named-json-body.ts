import type { CallGrammar, CallPort, Mark } from '../body.js'
import { isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { type OldBody as Body, readOld } from '../old-body.js'
import { Token } from '../value-token.js'
import { createJsonBody } from './json-body.js'
import { CUT, createMarkup } from './old-markup.js'

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

function createNamedJsonBody(port: CallPort, options: BodyOptions): Body {
  const { openMark, opens, ends, header, separators = [], quoteMark, isWeak, forcedToolName } = options
  const closes = options.section?.closes ?? []
  const tailMarks = [...ends, ...closes]
  const allMarks = [...tailMarks, ...opens, '```']
  // In a text without marks a tool's name is not proof enough to end a string.
  const strongMarks = isWeak ? tailMarks : [...tailMarks, ...opens]
  let head = openMark ?? ''
  let hasFence = false
  let reader: JsonReader | undefined
  let hasEnded = false

  const { writer, closeLast, finish, leave, claim, readAgain, goTo, isAt, ...markup } = createMarkup(port, {
    forcedToolName,
    ends: [],
    opens: strongMarks,
    goOn: () => goTo(readBehind),
  })
  const endOf = (marks: readonly string[]) => marks.find(each => head.endsWith(each))

  /** Begins the call that a header names, if it is one; `rest` stands behind it. */
  const commit = (text: string, rest: string) => {
    const name = header.exec(text.trimEnd())?.groups?.name
    if (name === undefined || (isWeak && !port.tools.has(name))) return leave()
    markup.openCall(name)
    head = ''
    hasFence = false
    hasEnded = false
    readAgain(rest)
    goTo(readGap)
  }

  /** What stands between the section's mark and its first call is not for the user. */
  const readSection = (char: string) => {
    head += char
    const found = endOf(opens)
    if (found) {
      head = found
      goTo(readHeader)
    } else if (closes.includes(head.trim())) finish('done')
    else if (endOf(closes) || head.length > MAX_HEADER_CHARS) leave()
  }
  const readHeader = (char: string) => {
    if (isEnvelope(char)) return markup.handOver(createJsonBody(port, { ends: tailMarks, opens, forcedToolName }), char)
    head += char
    if (isWeak && !/[\s{"}]/.test(char) && !opens.some(name => name.startsWith(head))) return leave()
    const first = opens[0] ?? ''
    if (!isWeak && head.length > first.length && head.endsWith(first)) return leave()
    // In a text without marks only what looks like an object proves a call.
    const stop = (isWeak ? /\{\s*["}]$/ : /\{$|(?<!\w)```$/).exec(head)?.[0] ?? endOf(tailMarks)
    if (stop !== undefined) commit(head.slice(0, -stop.length), stop)
    else if (endOf(separators)) commit(head, '')
    else if (head.length > MAX_HEADER_CHARS || (isWeak && /["}]$/.test(head))) leave()
  }
  /** The call is certain, its arguments have not begun. */
  const readGap = (char: string) => {
    head += char
    const found = markup.readMark(char, ['{', 'json', ...allMarks])
    if (found === undefined || found === 'json') return
    if (found === '```') hasFence = true
    else if (found === '{') beginObject()
    else if (tailMarks.includes(found)) {
      writer()?.put(Token.beginObject, '')
      writer()?.put(Token.endObject, '')
      readAgain(found)
      closeLast()
    } else markup.breakOff('no JSON object behind the name', head)
  }
  const beginObject = () => {
    const call = writer()
    if (!call) return
    const strong = hasFence ? [...strongMarks, '```'] : strongMarks
    const options = { maxHeldChars: port.maxHeldChars, ends: strong, otherEnds: allMarks, quoteMark }
    reader = createJsonReader(call.put, { ...call, ...options })
    goTo(reader, afterObject)
    readAgain('{')
  }
  const afterObject = () => {
    if (reader?.status() === 'failed') markup.breakOff(reader.error(), reader.unread())
    if (reader?.status() !== 'done') return
    readAgain(reader.unread())
    closeLast()
  }
  // A brace too many is a slip of the model's, not text.
  const isSlip = (char: string) => isSpace(char) || (char === '}' && !hasEnded)
  const readBehind = (char: string) => {
    const found = markup.readMark(char, allMarks, isSlip)
    if (found === undefined) return
    if (opens.includes(found)) {
      head = found
      goTo(readHeader)
    } else if (found === '```' && hasFence) {
      hasFence = false
      claim()
    } else if (tailMarks.includes(found)) {
      hasEnded = true
      claim()
      if (!closes.length || closes.includes(found)) finish('done')
    } else leave()
  }
  /** An envelope begins right behind the open mark. */
  const isEnvelope = (char: string) =>
    options.hasEnvelopes === true &&
    !isWeak &&
    !markup.hasCalled() &&
    (char === '{' || char === '[') &&
    opens.includes(head.trimEnd())

  return markup.bodyOf(openMark === undefined ? readSection : readHeader, isCut => {
    if (isAt(readSection) || isAt(readHeader)) leave()
    else if (isAt(readBehind)) markup.leaveAtEnd(tailMarks)
    else closeLast(0, !isAt(readGap) && reader?.end(!isCut) ? undefined : CUT)
  })
}

/** Calls with the tool's name in the markup and the arguments as JSON. */
export function namedJsonCalls(grammar: NamedJsonGrammar): CallGrammar {
  return ({ tools, forcedToolName }) => {
    const bareNames = grammar.hasBareNames ? tools.names() : []
    const bare = { ...grammar, section: undefined, opens: bareNames, header: /^(?<name>.+)$/s, separators: [] }
    const strong = { ...grammar, openMark: undefined, isWeak: false, forcedToolName }
    const mark = (text: string, options: BodyOptions): Mark => ({
      text,
      read: (cursor, port) => readOld(cursor, port, port => createNamedJsonBody(port, options)),
    })
    return [
      ...(grammar.section?.opens ?? []).map(text => mark(text, strong)),
      ...grammar.opens.map(text => mark(text, { ...strong, openMark: text })),
      ...bareNames.map(text => ({
        ...mark(text, { ...bare, openMark: text, isWeak: true, forcedToolName }),
        isAtLineStart: true,
      })),
    ]
  }
}
