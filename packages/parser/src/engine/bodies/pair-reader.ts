import { isQuote, isSpace } from '../characters.js'
import { withoutPrefix } from '../match-marks.js'
import { Kind, type Shape } from '../shape.js'
import { Token, type ValueSink } from '../value-token.js'
import { createPairLook, type Follow, MAX_LOOK_CHARS, type PairLookOptions } from './pair-look.js'
import { createTableTaker, unescaped } from './table.js'
import { createListTaker, createPlainTaker, type TakerOptions, type TextTaker } from './text-taker.js'
import { createJsonContent, type ValueContent } from './value-content.js'

/** Where a value goes, and what it may be. */
export interface PairPlace {
  readonly sink: ValueSink
  readonly shape: Shape
  readonly mayHaveKey?: ((key: string) => boolean) | undefined
}

export interface PairReaderOptions extends PairLookOptions, Omit<TakerOptions, 'sink'> {
  /** The pairs stand in parentheses. */
  readonly openParenthesis: () => void
  /** All of the arguments are one JSON object. */
  readonly openObject: () => PairPlace
  /** A pair begins. A text says why it cannot. */
  readonly openPair: (key: string) => PairPlace | string
  /** A value is over: why it could not be kept, if so. */
  readonly errorOfValue: () => string | undefined
}

/** Where a value may be over: behind what closes it, if anything does. See the look. */
interface Closing {
  readonly closing?: string
  readonly isSure?: boolean
  readonly isClosed?: boolean
}

const STRUCTURE = Kind.object | Kind.array
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
  const closeMark = marks?.close
  const endMark = closeMark ?? '\n'
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
  /** The value being read: its text, or its JSON. */
  let taker: TextTaker | undefined
  let json: ValueContent | undefined
  let isRaw = false
  /** Between tags a line break in raw text is a doubt, as long as no close tag says that all of it was meant. */
  let hasLines = false

  const fail = (message: string, read = '') => {
    status = 'failed'
    error = message
    unread = read
  }
  const put = (text: string) => {
    if (text) taker?.put(text)
  }
  /** Takes text up to an index. */
  const putUpTo = (to: number) => {
    put(window.slice(at, to))
    at = to
  }
  const closeValue = (): string | undefined => {
    json?.close()
    const problem = taker?.end()
    json = undefined
    taker = undefined
    return problem ?? options.errorOfValue()
  }
  const lookBehind = ({ isSure = false, isClosed = false, closing = '' }: Closing) => {
    const from = at + closing.length
    return look(window.slice(from, from + MAX_LOOK_CHARS), { isSure, isClosed, isInParentheses, isOver })
  }
  /** Decides by what follows; false as long as that cannot be told. */
  const follow = (closing: Closing, goOn: (chars: number) => void): boolean => {
    const found = lookBehind(closing)
    if (found?.type === 'text' || (found?.type === 'next' && isObject)) goOn(found.chars)
    else if (found) leaveValue(found, at + (closing.closing ?? '').length)
    return found !== undefined
  }
  const leaveValue = (found: Exclude<Follow, { type: 'text' }>, from: number) => {
    at = from
    const isUnproven = isRaw && (isOver ? isCut || hasLines : hasLines && found.chars === 0)
    if (found.type === 'end' && isUnproven) {
      if (!isOver) return fail('several lines without quotes, and no close mark behind them')
      at += found.chars
      status = 'cut'
      return
    }
    if (found.type === 'end' && isRaw) put(found.comma)
    const problem = closeValue()
    if (problem !== undefined) return fail(problem)
    if (found.type === 'next') return openPair(found)
    at += found.chars
    // Behind a value, and behind its line, more may have been to come; but not behind a whole object.
    status = isOver && isCut && !isObject ? 'cut' : 'end'
  }
  const openPair = ({ key, chars }: { key: string; chars: number }) => {
    const place = options.openPair(key)
    if (typeof place === 'string') return fail(place)
    at += chars
    isRaw = false
    hasLines = false
    step = () => begin(place)
  }

  /** `<call>get_weather | city=…`, up to the first pair. */
  const readGap = (): boolean => {
    const [gap = '', bracket] = /^[ \t\r\n]*([({])/.exec(window.slice(at)) ?? []
    if (bracket === '{') {
      isObject = true
      at += gap.length - 1
      beginJson(options.openObject())
      return true
    }
    if (bracket === '(' && !isInParentheses) {
      isInParentheses = true
      at += gap.length
      options.openParenthesis()
      return true
    }
    return follow({ isSure: true, isClosed: true }, () => {
      if (isOver) endInside()
      else fail('neither an argument nor the end of the call behind the name')
    })
  }
  let step = readGap
  /** `city=|New York` */
  const begin = (place: PairPlace): boolean => {
    const { shape } = place
    const first = window.charAt(at)
    const mayBeString = (shape.kinds & Kind.string) !== 0
    const isList = (shape.kinds & Kind.array) !== 0 && !mayBeString
    if (isSpace(first)) {
      const found = lookBehind({})
      if (found?.type === 'text') at += window.slice(at).search(/[^ \t\r\n]|$/)
      else if (found) {
        beginRaw(place, isList)
        leaveValue(found, at)
      }
      return found !== undefined
    }
    if (first === '<' && !marks) {
      const line = window.slice(at, at + MAX_OPENING_CHARS)
      if (!isOver && line.length < MAX_OPENING_CHARS && mayOpenHeredoc.test(line)) return false
      const opening = heredocOpening.exec(line)
      if (opening) {
        beginHeredoc(place, opening)
        return true
      }
      if (meansHeredoc.test(line)) {
        if (isOver) endInside()
        else fail(`${line.replace(/\s*\n.*/s, '')} must be followed by lines of text`)
        return true
      }
    }
    // Where a string is allowed too, the text is kept until it is whole, and the writer decides.
    if (/[[{]/.test(first) && shape.kinds & STRUCTURE && !mayBeString) beginJson(place)
    else if (isQuote(first) && !isList) beginQuoted(place, first)
    else beginRaw(place, isList)
    return true
  }
  const beginRaw = ({ sink, shape }: PairPlace, isList: boolean) => {
    isRaw = true
    taker = isList ? createListTaker({ sink, maxHeldChars, putRaw }) : createPlainTaker(Token.beginRaw, sink)
    // A number or a constant is over where any pair follows.
    const isSure = !(shape.kinds & (Kind.string | STRUCTURE))
    const stops = new RegExp(`[ \\t\\r\\n,${marks ? '<' : ''}${isInParentheses ? ')' : ''}]`, 'g')
    step = () => {
      stops.lastIndex = at
      putUpTo(stops.exec(window)?.index ?? window.length)
      return follow({ isSure }, chars => {
        hasLines ||= window.slice(at, at + chars).includes('\n')
        putUpTo(at + chars)
      })
    }
  }
  /**
   * A quote inside that was not escaped is known by what follows; such a string may not hold the end of its call as well, for it is
   * more likely that a quote was forgotten and the string swallows what comes next.
   */
  const beginQuoted = ({ sink }: PairPlace, quote: string) => {
    taker = createPlainTaker(Token.beginQuoted, sink)
    const stops = new RegExp(`[${quote}\\\\]`, 'g')
    // A text may go on in the next line, but an apostrophe is not likely to have meant that.
    let isDoubtful = !marks && quote === "'"
    /** The last characters, in which the end mark may begin; then all from the mark on, as long as that can be held. */
    let recent: string | undefined = ''
    let hasMark = false
    const take = (size: number, text = window.slice(at, at + size)) => {
      const seen: string = (recent ?? '') + window.slice(at, at + size)
      const markAt = hasMark ? 0 : seen.indexOf(endMark)
      if (markAt >= 0 && isDoubtful) {
        putUpTo(at + markAt + endMark.length - 1 - (recent ?? '').length)
        at++
        return fail('a quoted value without its closing quote', endMark)
      }
      hasMark = markAt >= 0
      if (!hasMark) recent = seen.slice(1 - endMark.length || seen.length)
      else if (recent !== undefined) recent = seen.length - markAt > maxHeldChars ? undefined : seen.slice(markAt)
      put(text)
      at += size
    }
    at++
    step = () => {
      stops.lastIndex = at
      const stop = stops.exec(window)?.index ?? window.length
      if (stop > at) take(stop - at)
      const beginning = window.slice(at, at + 6)
      if (hasFailed()) return true
      if (beginning === '' || /^\\(?:u[\da-fA-F]{0,3})?$/.test(beginning)) return false
      if (beginning.startsWith('\\')) {
        const [whole] = /^\\(?:u[\da-fA-F]{4}|.)/s.exec(beginning) ?? ['']
        take(whole.length, unescaped(whole))
        return true
      }
      return follow({ isSure: true, isClosed: true, closing: quote }, () => {
        put(quote)
        if (hasMark) return fail('a quoted value without its closing quote', recent)
        isDoubtful = true
        at++
      })
    }
  }
  const beginHeredoc = ({ sink, shape }: PairPlace, [opening, , word = '', lineBreak = '']: RegExpExecArray) => {
    const isText = (shape.kinds & Kind.string) !== 0 || !(shape.kinds & STRUCTURE)
    taker =
      shape.kinds & Kind.array && !isText
        ? createTableTaker({ sink, maxHeldChars, putRaw }, shape)
        : createPlainTaker(isText ? Token.beginQuoted : Token.beginRaw, sink)
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
      if (found < 0) return false
      return follow({ closing }, () => putLines(at + closing.length))
    }
  }
  const beginJson = ({ sink, mayHaveKey }: PairPlace) => {
    const content = createJsonContent({ sink, closeMark, maxHeldChars, mayHaveKey })
    json = content
    step = () => {
      if (content.status() === 'open') {
        at = content.feed(window, at, window.length)
        if (content.status() === 'open') return false
        if (content.status() === 'failed') {
          fail(content.error(), content.unread())
          return true
        }
        // What was looked at behind it is read again.
        window = content.unread() + window.slice(at)
        heldChars += content.unread().length - at
        at = 0
      }
      return follow({ isSure: true, isClosed: true }, () => {
        if (!isObject) fail('something else behind the JSON value')
        else if (content.end(true)) status = 'end'
        else fail(content.error())
      })
    }
  }
  const hasFailed = () => status === 'failed'
  /** The text ends inside a value, or before it is clear that one comes. JSON may lack its brackets. */
  const endInside = () => {
    at = window.length
    status = 'cut'
    if (!json?.end(isCut)) return
    const problem = closeValue()
    if (problem === undefined) status = 'end'
    else fail(problem)
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
