// An answer that the application wants as JSON, as models write it where they may also call tools:
//
//     Here is the result:
//     ```json
//     {"sky": "clear"}
//     ```
//
// Only `{"sky": "clear"}` is the answer (decision 87).

import { createTextCollector } from '../engine/text/text-collector.js'
import type { OnError } from '../options/parser-options.js'
import { createFencedJson, type FencedJson, readFencedJson, readFenceHead } from './fenced-json.js'

export interface JsonAnswerOptions {
  /** Takes the text of the answer. */
  readonly emit: (text: string) => void
  readonly report: OnError
  /** How much text before and after the fence may be held back. */
  readonly maxHeldChars?: number | undefined
}

interface JsonAnswer extends Required<Omit<JsonAnswerOptions, 'maxHeldChars'>> {
  readonly maxHeldChars: number
  /**
   * `before` the fence, `inside` it, `after` it. `reasoning`: in `<think>` tags that other
   * middleware reads. `unchanged`: all text is emitted as it is written.
   */
  phase: 'before' | 'reasoning' | 'inside' | 'after' | 'unchanged'
  /** Text that is not decided yet. It is short, so it can be looked at again. */
  window: string
  /** How much of the window was read as content of the fence. */
  readChars: number
  json: FencedJson
  /** `</think>`: ends the reasoning. */
  closeTag: string
  /** Text before the window that is held back: the sentence before the fence, or all text after. */
  readonly held: ReturnType<typeof createTextCollector>
  heldChars: number
}

const DEFAULT_MAX_HELD_CHARS = 1_048_576

/** `{"sky"` An answer that is JSON from its beginning. */
const bareJson = /^\s{0,256}[{[]/
/** `<think>hm</think>` Reasoning that is left in the text. */
const reasoningTag = /^\s{0,256}<((?:\w{1,16}:)?think)>/
/** `<thi` Text that may begin with either. */
const begunAnswer = /^\s{0,256}(?:<[\w:]{0,32})?$/
/** "```json" in a text. */
const anyFence = /`{3}|~{3}/
/** A fence that may begin at the end of the text so far. */
const begunFence = /(?:`{1,2}|~{1,2})$/
/** After the fence: another fence, or a line that begins as JSON does. */
const anotherAnswer = /`{3}|~{3}|^[ \t]*[{[]/m
/** So much whitespace before the close of a fence may be held back. It is not content. */
const MAX_SPACE_CHARS = 1024

export type JsonAnswerReader = ReturnType<typeof createJsonAnswer>

/**
 * Hands on the JSON of an answer that has it in a fence, as it arrives. An answer without a fence is
 * not changed.
 */
export function createJsonAnswer({ maxHeldChars, ...options }: JsonAnswerOptions) {
  const answer: JsonAnswer = {
    ...options,
    maxHeldChars: maxHeldChars ?? DEFAULT_MAX_HELD_CHARS,
    phase: 'before',
    window: '',
    readChars: 0,
    json: createFencedJson(''),
    closeTag: '',
    held: createTextCollector(),
    heldChars: 0,
  }
  const read = (isFinal: boolean) => {
    let phase: JsonAnswer['phase'] | undefined
    while (phase !== answer.phase) {
      phase = answer.phase
      readers[phase](answer, isFinal)
    }
  }
  const end = (isAnswer: boolean) => {
    read(true)
    if (answer.phase === 'after') endAfterFence(answer, isAnswer)
    else emitAll(answer)
    answer.phase = 'before'
  }
  return {
    feed(text: string) {
      answer.window += text
      read(false)
    },
    /** The answer is over. */
    end: () => end(true),
    /** A call follows, so the text was not the answer: what is held back is emitted. */
    endBeforeCall: () => end(false),
  }
}

const readers: Readonly<
  Record<JsonAnswer['phase'], (answer: JsonAnswer, isFinal: boolean) => void>
> = {
  before: readBeforeFence,
  reasoning: readReasoning,
  inside: readInsideFence,
  after: holdWindow,
  unchanged: emitAll,
}

/** Holds the text back until a fence opens. */
function readBeforeFence(answer: JsonAnswer, isFinal: boolean): void {
  const isStart = answer.heldChars === 0
  const tag = isStart ? reasoningTag.exec(answer.window)?.[1] : undefined
  if (tag !== undefined) {
    answer.closeTag = `</${tag}>`
    answer.phase = 'reasoning'
  } else if (isStart && bareJson.test(answer.window)) answer.phase = 'unchanged'
  else {
    const at = anyFence.exec(answer.window)?.index
    if (at === undefined) holdBeforeFence(answer, isFinal)
    else decideFence(answer, at, isFinal)
  }
}

/** Holds back a text without a fence. Its beginning stays in the window until it shows what it is. */
function holdBeforeFence(answer: JsonAnswer, isFinal: boolean): void {
  const { window } = answer
  const isOpen = answer.heldChars === 0 && begunAnswer.test(window)
  if (isFinal || isOpen) return
  hold(answer, begunFence.exec(window)?.index ?? window.length)
  checkHeld(answer, 'before')
}

/** "Here it is:\n|```json\n{" Decides at the first fence whether it contains the answer. */
function decideFence(answer: JsonAnswer, at: number, isFinal: boolean): void {
  hold(answer, at)
  const head = readFenceHead(answer.window)
  if (checkHeld(answer, 'before') || (head === 'wait' && !isFinal)) return
  if (head === 'no' || head === 'wait') {
    answer.phase = 'unchanged'
    return
  }
  answer.held.take()
  answer.heldChars = 0
  answer.window = answer.window.slice(head.length)
  answer.json = createFencedJson(head.fence)
  answer.readChars = 0
  answer.phase = 'inside'
}

/** `<think>hm|</think>` */
function readReasoning(answer: JsonAnswer): void {
  const { window, closeTag } = answer
  const close = window.indexOf(closeTag)
  const isClosed = close >= 0
  const kept = Math.max(0, window.length - closeTag.length + 1)
  emitFirst(answer, isClosed ? close + closeTag.length : kept)
  if (isClosed) answer.phase = 'before'
}

/** Emits the content of the fence. Whitespace waits for what follows. */
function readInsideFence(answer: JsonAnswer, isFinal: boolean): void {
  const { at, isClosed } = readFencedJson(answer.json, answer.window, answer.readChars, isFinal)
  const contentChars = answer.window.slice(0, at).trimEnd().length
  const spaceChars = at - contentChars
  const emitted = contentChars + spaceChars - (spaceChars % MAX_SPACE_CHARS)
  emitFirst(answer, emitted)
  answer.readChars = at - emitted
  if (isClosed) answer.phase = 'after'
}

/** "```\nI hope that helps." What comes after the fence is judged at the end. */
function holdWindow(answer: JsonAnswer): void {
  hold(answer, answer.window.length)
  checkHeld(answer, 'after')
}

/** Leaves out a remark after the fence. If there is more JSON, it is not certain which one is meant. */
function endAfterFence(answer: JsonAnswer, isAnswer: boolean): void {
  const text = answer.held.take()
  answer.heldChars = 0
  const remark = text.trimStart().replace(/^[`~]+/, '')
  if (!/\S/.test(remark)) return
  if (!isAnswer || anotherAnswer.test(remark)) answer.emit(text)
  else {
    const message = 'the text after the JSON of the answer was left out'
    answer.report(message, { code: 'text-after-json', raw: remark })
  }
}

/** Moves the first characters of the window to the text that is held back. */
function hold(answer: JsonAnswer, chars: number): void {
  answer.held.push(answer.window.slice(0, chars))
  answer.heldChars += chars
  answer.window = answer.window.slice(chars)
}

/** Emits the first characters of the window. */
function emitFirst(answer: JsonAnswer, chars: number): void {
  const text = answer.window.slice(0, chars)
  answer.window = answer.window.slice(chars)
  if (text) answer.emit(text)
}

/** Emits all text that is held back. */
function emitAll(answer: JsonAnswer): void {
  const text = answer.held.take() + answer.window
  answer.heldChars = 0
  answer.window = ''
  if (text) answer.emit(text)
}

/** Gives up if too much is held back: then the answer is not changed. */
function checkHeld(answer: JsonAnswer, where: 'before' | 'after'): boolean {
  const { held, heldChars, maxHeldChars } = answer
  if (heldChars <= maxHeldChars) return false
  const text = held.take()
  held.push(text)
  const message = `more than ${maxHeldChars} characters ${where} the fence of an answer in JSON`
  answer.report(message, { code: 'held-limit', raw: text.slice(0, maxHeldChars) })
  answer.phase = 'unchanged'
  return true
}
