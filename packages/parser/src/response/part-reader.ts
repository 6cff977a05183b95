import type { Scanner } from '../engine/scanner.js'
import {
  type CreateScanner,
  isForced,
  type OnError,
  type ParserOptions,
  type RequestContext,
} from '../options/parser-options.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { Part } from '../sdk/parts.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import { createJsonAnswer } from './json-answer.js'
import { createPartOutput } from './part-output.js'
import { createReasoningReader, createRescuedCalls } from './rescued-calls.js'
import { createTextBlock, type TextBlock } from './text-block.js'

/**
 * Turns a part of a provider's stream into the parts that the SDK expects of a model that calls
 * tools. There may be none. Without a part the stream is over: every open part is ended, an open
 * call as a truncated one.
 */
export type PartReader = (part?: Part) => readonly Part[]

export interface PartReaderOptions {
  /**
   * The provider has the tools, too. Calls found in text wait for the end of the answer, so that no
   * call is made twice. Its reasoning is read for calls as well.
   */
  readonly isRescue?: boolean
  /** Called for each call with the text that the model wrote for it. */
  readonly onCallRead?: (raw: string) => void
}

/** A text of the provider that is being read. */
interface OpenText {
  readonly block: TextBlock
  /** The text-end came inside a call: the finish reason decides whether the call was truncated. */
  textEnd?: Part
}

/** Parts that do not show whether the model goes on after a text. */
const neutralParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

/** The texts that are being read, by the provider's ids. */
function createOpenTexts(createBlock: (start: Part) => TextBlock) {
  const texts = new Map<string, OpenText>()
  const open = (start: Part): OpenText => {
    const text: OpenText = { block: createBlock(start) }
    texts.set(start.id ?? '', text)
    return text
  }
  /** Ends the texts that are over. */
  const end = (isTruncated: boolean, isOver: (text: OpenText) => boolean = () => true) => {
    for (const [id, text] of texts) {
      if (!isOver(text)) continue
      texts.delete(id)
      text.block.end(isTruncated, text.textEnd)
    }
  }
  return {
    get: (id: string) => texts.get(id),
    open,
    end,
    readDelta(part: Part, delta: string) {
      const { id = '' } = part
      // Some providers send no text-start.
      const text = texts.get(id) ?? open({ type: 'text-start', id })
      text.block.feed(part, delta)
    },
    readTextEnd(part: Part) {
      const text = texts.get(part.id ?? '')
      // An error has ended the text already.
      if (!text) return
      text.textEnd = part
      // Inside a call we wait for the finish reason, which shows whether the call was truncated.
      if (!text.block.isInsideCall()) end(false, each => each === text)
    },
  }
}

/** The provider's reasoning that is being read for calls, by the provider's ids. */
function createOpenReasonings(createReader: () => Scanner) {
  const readers = new Map<string, Scanner>()
  return {
    begin(id: string) {
      readers.get(id)?.end()
      readers.set(id, createReader())
    },
    feed(id: string, delta: string) {
      readers.get(id)?.feed(delta)
    },
    end(isTruncated: boolean) {
      for (const reader of readers.values()) reader.end(isTruncated)
      readers.clear()
    },
  }
}

/** Creates the reader of one answer. */
export function createPartReader(
  createScanner: CreateScanner,
  context: RequestContext,
  { isRescue = false, onCallRead }: PartReaderOptions = {},
): PartReader {
  const { tools, options = {} } = context
  const { onError, onRepair, toolChoice } = options
  const output = createPartOutput(onRepair)
  const rescuedCalls = createRescuedCalls()
  /** Only the first text may begin inside reasoning, and none after the provider's own. */
  let { startWithReasoning } = options
  /** A call was reported, so the application knows about it even if it is shown as text. */
  let hasProblem = false

  const report: OnError = (message, metadata) => {
    hasProblem ||= metadata.code !== 'held-limit'
    onError?.(message, metadata)
  }
  const textOptions = {
    output,
    report,
    onCallRead,
    holdCall: isRescue ? rescuedCalls.addFromText : undefined,
    emitsRawText: options.emitRawToolCallTextOnError ?? false,
    stripsPreamble: options.stripPreamble ?? false,
    createJsonAnswer: options.wantsJson ? jsonAnswersOf(options, report) : undefined,
    createScanner: (emit: Parameters<CreateScanner>[0]['emit']) =>
      createScanner({ tools, options: { ...options, startWithReasoning }, emit }),
  }

  const texts = createOpenTexts(start => {
    const block = createTextBlock(start, textOptions)
    startWithReasoning = false
    return block
  })
  const reasonings = createOpenReasonings(() =>
    createReasoningReader(createScanner, context, rescuedCalls.addFromReasoning),
  )
  const finish = (isTruncated: boolean) => {
    texts.end(isTruncated)
    reasonings.end(isTruncated)
    const late = rescuedCalls.take(output.calls(), output.hasAnswer())
    for (const found of late) output.emitCall(found, false)
  }

  const readFinish = (part: Part) => {
    finish(!isOrdinaryStop(part.finishReason))
    const isMissing = isForced(toolChoice) && output.calls().length === 0 && !hasProblem
    if (isMissing) onError?.(describeMissingCall(toolChoice), { code: 'forced-missing' })
    output.emit(output.hasWholeCall() ? finishWithCalls(part) : part)
  }
  const readOther = (part: Part) => {
    const { type, id = '' } = part
    const isError = type === 'error'
    const replaced = type === 'text-start' ? texts.get(id) : undefined
    // `text-end` inside a call, and then another part: the call was not truncated.
    const isOver = (text: OpenText) => isError || text.textEnd !== undefined || text === replaced
    if (!neutralParts.has(type)) texts.end(isError, isOver)
    if (isError) reasonings.end(true)
    if (type === 'text-start') texts.open(part)
    else output.emit(part)
    if (type.startsWith('reasoning-')) readReasoning(part, id)
  }
  const readReasoning = ({ type, delta = '' }: Part, id: string) => {
    if (type === 'reasoning-delta') reasonings.feed(id, delta)
    if (type !== 'reasoning-start') return
    startWithReasoning = false
    if (options.callsInReasoning ?? isRescue) reasonings.begin(id)
  }

  return part => {
    if (!part) finish(true)
    else if (part.type === 'text-delta' && part.delta !== undefined)
      texts.readDelta(part, part.delta)
    else if (part.type === 'text-end') texts.readTextEnd(part)
    else if (part.type === 'finish') readFinish(part)
    else readOther(part)
    return output.take()
  }
}

/** The readers of answers in JSON, one for each text. */
const jsonAnswersOf =
  ({ maxHeldChars }: ParserOptions, report: OnError) =>
  (emit: (text: string) => void) =>
    createJsonAnswer({ emit, report, maxHeldChars })

/** `the model had to call "get_weather", and its answer contains no call` */
function describeMissingCall({ toolName }: ToolChoice): string {
  const what = toolName === undefined ? 'one of the tools' : JSON.stringify(toolName)
  return `the model had to call ${what}, and its answer contains no call`
}
