import type { ArgumentWriter } from '../argument-writer.js'
import { isQuote, isSpace } from '../characters.js'
import { createJsonReader, type JsonReader } from '../json-reader.js'
import { withoutPrefix } from '../match-marks.js'
import { Kind, type Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createCommaList } from './comma-list.js'
import { createPairLook, type Follow, type LookPlace, MAX_LOOK_CHARS, type PairLookOptions } from './pair-look.js'
import { createTable, unescaped } from './table.js'

/** Where a value goes, and what it may be. */
export interface PairPlace {
  readonly sink: ValueSink
  readonly shape: Shape
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
}

export interface PairReaderOptions extends PairLookOptions {
  readonly maxHeldChars: number
  /** Takes what cannot be read, as it stands. */
  readonly putRaw: (text: string) => void
  /** It is a call: a bracket follows its name. */
  readonly commit: () => ArgumentWriter
  /** A pair begins. A text says why it cannot. */
  readonly openPair: (key: string) => PairPlace | string
  /** A value is over: why it could not be kept, if so. */
  readonly errorOfValue: () => string | undefined
}

/** Words behind which others stand: no key is among them, and most text is nothing else. It spares the look. */
const words = /(?:[ ,]{1,64}[\w.-]{1,64}(?= [A-Za-z])){1,256}/y
const wordBegun = /[ ,]{1,64}[\w.-]{0,64}$/y
const STRUCTURE = Kind.object | Kind.array
const isStructure = ({ kinds }: Shape) => (kinds & STRUCTURE) !== 0 && !(kinds & Kind.string)
const isList = ({ kinds }: Shape) => (kinds & Kind.array) !== 0 && !(kinds & Kind.string)
const MAX_OPENING_CHARS = 256
const heredocOpening = /^<<-? *(["']?)([\p{L}_][\p{L}\p{N}_]*)\1[ \t]*(\r?\n)/u
const mayOpenHeredoc = /^<(?:<[^\n]*)?$/
/** A word follows the signs, so that nothing else can be meant. */
const meansHeredoc = /^<<-? *["']?[\p{L}_]/u

/**
 * Reads what stands behind the name of a call: pairs, in parentheses or not, or a JSON object in their place. A value may be raw
 * text, a string in quotes, JSON, a list as `a, b, c`, or a heredoc:
 *
 *     code=<<END
 *     print("hi")
 *     END
 *
 * The line breaks behind `<<END` and before `END` are markup; where the schema wants a list, the lines are a table or its items.
 * What a value is, its first character and the schema tell; where it is over, what follows.
 */
export function createPairReader(options: PairReaderOptions) {
  const { marks, maxHeldChars, putRaw } = options
  const endMark = marks?.close ?? '\n'
  const markStarts = marks ? `\\${marks.open.charAt(0)}\\${marks.close.charAt(0)}` : ''
  const look = createPairLook(options)
  /** What was read and is not clear yet, then the chunk; how much of it came before the chunk; and where we stand. */
  let window = ''
  let heldChars = 0
  let at = 0
  let isOver = false
  let isCut = false
  let status: 'reading' | 'end' | 'cut' | 'failed' = 'reading'
  let error = ''
  let unread = ''
  let isInParentheses = false
  let isObject = false
  /** The value that is to begin; then where its text goes, or its JSON. */
  let place: PairPlace | undefined
  let sink: ValueSink | undefined
  let json: JsonReader | undefined
  let problem: string | undefined
  let isRaw = false
  /** Between tags a line break in raw text is a doubt, as long as no close tag says that all of it was meant. */
  let hasLines = false

  const fail = (message: string, read = '') => {
    status = 'failed'
    error = message
    unread = read
  }
  const put = (text: string) => {
    if (text) sink?.(Token.text, text)
  }
  /** Takes text up to an index. */
  const putUpTo = (to: number) => {
    put(window.slice(at, to))
    at = to
  }
  /** Gives the reason why the value cannot be read, where that is so. */
  const closeValue = (): string | undefined => {
    sink?.(Token.endText, '')
    json = undefined
    sink = undefined
    return problem ?? options.errorOfValue()
  }
  /** Decides by what follows what may close the value; false as long as that cannot be told. */
  const follow = (behind: LookPlace['behind'], closing: string, goOn: (chars: number) => void): boolean => {
    const from = at + closing.length
    if (from >= window.length && !isOver) return false
    const found = look(window.slice(from, from + MAX_LOOK_CHARS), { behind, isInParentheses, isOver })
    if (found?.type === 'text' || (found?.type === 'next' && isObject)) goOn(found.chars)
    else if (found) leaveValue(found, from)
    return found !== undefined
  }
  const leaveValue = (found: Exclude<Follow, { type: 'text' }>, from: number) => {
    at = from
    if (place) beginRaw(place)
    const isUnproven = isRaw && (isOver ? isCut || hasLines : hasLines && found.chars === 0)
    if (found.type === 'end' && isUnproven) {
      if (!isOver) return fail('several lines without quotes, and no close mark behind them')
      at += found.chars
      status = 'cut'
      return
    }
    if (found.type === 'end' && isRaw) put(found.comma)
    const reason = closeValue()
    if (reason !== undefined) return fail(reason)
    if (found.type === 'next') return openPair(found)
    at += found.chars
    // Behind a value, and behind its line, more may have been to come; but not behind a whole object.
    status = isOver && isCut && !isObject ? 'cut' : 'end'
  }
  const openPair = ({ key, chars }: { key: string; chars: number }) => {
    const opened = options.openPair(key)
    if (typeof opened === 'string') return fail(opened)
    at += chars
    isRaw = false
    hasLines = false
    place = opened
    step = () => begin(opened)
  }

  /** `<call>get_weather | city=…`, up to the first pair. */
  const readGap = (): boolean => {
    const [gap = '', bracket] = /^[ \t\r\n]*([({])/.exec(window.slice(at)) ?? []
    if (bracket === undefined || (bracket === '(' && isInParentheses)) return follow('closed', '', leaveGap)
    const { put: sink, mayHaveKey } = options.commit()
    isObject = bracket === '{'
    isInParentheses ||= bracket === '('
    at += gap.length - (isObject ? 1 : 0)
    if (isObject) beginJson({ sink, mayHaveKey })
    return true
  }
  const leaveGap = () => {
    if (isOver) endInside()
    else fail('neither an argument nor the end of the call behind the name')
  }
  let step = readGap
  /** `city=|New York` */
  const begin = (value: PairPlace): boolean => {
    const { shape } = value
    const first = window.charAt(at)
    if (isSpace(first)) {
      return follow('text', '', () => {
        at += window.slice(at).search(/[^ \t\r\n]|$/)
      })
    }
    if (first === '<' && !marks) {
      const line = window.slice(at, at + MAX_OPENING_CHARS)
      if (!isOver && line.length < MAX_OPENING_CHARS && mayOpenHeredoc.test(line)) return false
      const opening = heredocOpening.exec(line)
      if (opening) return beginHeredoc(value, opening)
      if (meansHeredoc.test(line) && !isOver) fail('<< and a word must be followed by lines of text')
      if (meansHeredoc.test(line)) return false
    }
    // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
    if (/[[{]/.test(first) && isStructure(shape)) return beginJson(value)
    return isQuote(first) && !isList(shape) ? beginQuoted(value, first) : beginRaw(value)
  }
  /** Text goes out as it comes, unless a list is to be made of it. */
  const beginText = (value: PairPlace, token: Token, createList: typeof createTable) => {
    const onError = (message: string) => {
      problem = message
    }
    place = undefined
    if (isList(value.shape)) sink = createList({ sink: value.sink, maxHeldChars, putRaw, onError }, value.shape)
    else {
      sink = value.sink
      sink(token, '')
    }
  }
  const beginRaw = (value: PairPlace): boolean => {
    isRaw = true
    beginText(value, Token.beginRaw, createCommaList)
    // A number or a constant is over where any pair follows.
    const behind = value.shape.kinds & (Kind.string | STRUCTURE) ? 'text' : 'scalar'
    const stops = new RegExp(`[ \\t\\r\\n,${markStarts}${isInParentheses ? ')' : ''}]`, 'g')
    step = () => {
      words.lastIndex = at
      if (words.test(window)) putUpTo(words.lastIndex)
      wordBegun.lastIndex = at
      if (!isOver && wordBegun.test(window)) return false
      stops.lastIndex = at
      putUpTo(stops.exec(window)?.index ?? window.length)
      return follow(behind, '', chars => {
        hasLines ||= window.slice(at, at + chars).includes('\n')
        putUpTo(at + chars)
      })
    }
    return true
  }
  /**
   * A quote inside that was not escaped is known by what follows; such a string may not hold the end of its call as well, for it is
   * more likely that a quote was forgotten and the string swallows what comes next.
   */
  const beginQuoted = (value: PairPlace, quote: string): boolean => {
    beginText(value, Token.beginQuoted, createCommaList)
    const inner = new RegExp(`(?:[^${quote}\\\\]{1,256}|\\\\(?:u[\\da-fA-F]{4}|[^u])){1,256}`, 'y')
    // A text may go on in the next line, but an apostrophe is not likely to have meant that.
    let isDoubtful = !marks && quote === "'"
    /** The last characters, in which the end mark may begin; then all from the mark on, as long as that can be held. */
    let recent: string | undefined = ''
    let hasMark = false
    const take = (size: number) => {
      const source = window.slice(at, at + size)
      const seen: string = (recent ?? '') + source
      const markAt = hasMark ? 0 : seen.indexOf(endMark)
      if (markAt >= 0 && isDoubtful) {
        putUpTo(at + markAt + endMark.length - 1 - (recent ?? '').length)
        at++
        return fail('a quoted value without its closing quote', endMark)
      }
      hasMark = markAt >= 0
      if (!hasMark) recent = seen.slice(1 - endMark.length || seen.length)
      else if (recent !== undefined) recent = seen.length - markAt > maxHeldChars ? undefined : seen.slice(markAt)
      put(unescaped(source))
      at += size
    }
    at++
    step = () => {
      inner.lastIndex = at
      const isInside = inner.test(window)
      const rest = window.slice(at, at + 6)
      if (!isInside && rest.startsWith(quote)) return follow('closed', quote, goOnBehindQuote)
      if (!isInside && /^(?:\\(?:u[\da-fA-F]{0,3})?)?$/.test(rest)) return false
      // A backslash that begins no escape is text.
      take(isInside ? inner.lastIndex - at : 1)
      return true
    }
    const goOnBehindQuote = () => {
      take(quote.length)
      isDoubtful = true
      if (hasMark) fail('a quoted value without its closing quote', recent)
    }
    return true
  }
  const beginHeredoc = (value: PairPlace, [opening, , word = '', lineBreak = '']: RegExpExecArray): boolean => {
    beginText(value, isStructure(value.shape) ? Token.beginRaw : Token.beginQuoted, createTable)
    const closing = lineBreak + word
    // The line break behind the opening may be the one before the closing word too; it is markup in any case.
    at += opening.length - lineBreak.length
    let isFirst = true
    const putLines = (to: number) => {
      if (isFirst && to > at) {
        isFirst = false
        at += lineBreak.length
      }
      putUpTo(to)
    }
    step = () => {
      const found = window.indexOf(closing, at)
      putLines(found < 0 ? at + withoutPrefix(window.slice(at), closing).length : found)
      return found >= 0 && follow('text', closing, () => putLines(at + closing.length))
    }
    return true
  }
  const beginJson = ({ sink, mayHaveKey }: Pick<PairPlace, 'sink' | 'mayHaveKey'>): boolean => {
    place = undefined
    const reader = createJsonReader(sink, { maxHeldChars, ends: [endMark], mayHaveKey })
    json = reader
    step = () => {
      at = reader.feed(window, at, window.length)
      if (reader.status() === 'failed') fail(reader.error(), reader.unread())
      if (reader.status() !== 'done') return false
      // What was looked at behind it is read again.
      const behind = reader.unread()
      if (at < behind.length) {
        window = behind + window.slice(at)
        heldChars += behind.length - at
        at = behind.length
      }
      at -= behind.length
      step = () => follow('closed', '', leaveJson)
      return true
    }
    const leaveJson = () => {
      if (!isObject) fail('something else behind the JSON value')
      else status = 'end'
    }
    return true
  }
  /** The text ends inside a value, or before it is clear that one comes. JSON may lack its brackets. */
  const endInside = () => {
    at = window.length
    status = 'cut'
    if (!json?.end(!isCut)) return
    const reason = closeValue()
    if (reason === undefined) status = 'end'
    else fail(reason)
  }
  const run = () => {
    while (status === 'reading' && (isOver || at < window.length) && step());
  }

  return {
    /** Reads on. Where it ends, what it took too much of is `unread`. */
    feed(chunk: string, from: number, to: number): number {
      heldChars = window.length
      window += chunk.slice(from, to)
      run()
      const next = from + Math.max(0, at - heldChars)
      if (status !== 'reading') unread += window.slice(at, Math.max(at, heldChars))
      window = window.slice(at)
      at = 0
      return status === 'reading' ? to : next
    },
    status: () => status,
    error: () => error,
    unread: () => unread,
    /** The arguments are one JSON object. */
    isObject: () => isObject,
    /** No more text comes. */
    end(cut: boolean) {
      isOver = true
      isCut = cut
      heldChars = window.length
      run()
      if (status === 'reading') endInside()
      unread += window.slice(at)
    },
  }
}
