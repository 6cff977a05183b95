import {
  type CreateScanner,
  isForced,
  type OnError,
  type RequestContext,
} from '../options/parser-options.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { Part } from '../sdk/parts.js'
import { finishWithCalls, isOrdinaryStop } from './finish-reason.js'
import { createPartOutput } from './part-output.js'
import { createReasoningReader, createRescuedCalls } from './rescued-calls.js'
import { createTextBlock, type TextBlock } from './text-block.js'

/**
 * Turns a part of a provider's stream into the parts that the SDK expects of a model that calls
 * tools, in order; there may be none. Without a part the stream is over: what is still open is
 * ended, a call as one that is truncated.
 */
export type PartReader = (part?: Part) => readonly Part[]

export interface PartReaderOptions {
  /**
   * The provider has the tools, too. Calls found in text wait for the end, so that none is made
   * that it has understood as well; and they are looked for in its reasoning.
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

/** Parts that do not show what the model goes on with. */
const neutralParts = new Set(['raw', 'ping', 'response-metadata', 'stream-start'])

export function createPartReader(
  createScanner: CreateScanner,
  context: RequestContext,
  { isRescue = false, onCallRead }: PartReaderOptions = {},
): PartReader {
  const { tools, options = {} } = context
  const { onError, toolChoice } = options
  const output = createPartOutput()
  const rescuedCalls = createRescuedCalls()
  /** The texts that are being read, by the provider's ids. */
  const texts = new Map<string, OpenText>()
  /** The provider's reasoning that is being read for calls. */
  const reasonings = new Map<string, ReturnType<CreateScanner>>()
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
    createScanner: (emit: Parameters<CreateScanner>[0]['emit']) =>
      createScanner({ tools, options: { ...options, startWithReasoning }, emit }),
  }

  const openText = (start: Part): OpenText => {
    const text: OpenText = { block: createTextBlock(start, textOptions) }
    startWithReasoning = false
    texts.set(start.id ?? '', text)
    return text
  }
  const endTexts = (isTruncated: boolean, isOver: (text: OpenText) => boolean = () => true) => {
    for (const [id, text] of texts) {
      if (!isOver(text)) continue
      texts.delete(id)
      text.block.end(isTruncated, text.textEnd)
    }
  }
  const finish = (isTruncated: boolean) => {
    endTexts(isTruncated)
    for (const reasoning of reasonings.values()) reasoning.end(isTruncated)
    reasonings.clear()
    const late = rescuedCalls.take(output.calls(), output.hasAnswer())
    for (const call of late) output.emitCall(call, false)
  }

  const readDelta = (part: Part, delta: string) => {
    const { id = '' } = part
    const { block } = texts.get(id) ?? openText({ type: 'text-start', id })
    block.feed(part, delta)
  }
  const readTextEnd = (part: Part) => {
    const text = texts.get(part.id ?? '')
    // A text that an error has ended needs no other end.
    if (!text) return
    text.textEnd = part
    // Inside a call the finish reason, which comes next, tells whether it was truncated.
    if (!text.block.isInsideCall()) endTexts(false, each => each === text)
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
    // More comes, so a text that ended inside a call was not truncated there.
    const isOver = (text: OpenText) => {
      const isReplaced = type === 'text-start' && text === texts.get(id)
      return isError || text.textEnd !== undefined || isReplaced
    }
    if (!neutralParts.has(type)) endTexts(isError, isOver)
    if (isError) for (const reasoning of reasonings.values()) reasoning.end(true)
    if (isError) reasonings.clear()
    if (type === 'text-start') openText(part)
    else output.emit(part)
    if (type === 'reasoning-start') beginReasoning(id)
    if (type === 'reasoning-delta') reasonings.get(id)?.feed(part.delta ?? '')
  }
  const beginReasoning = (id: string) => {
    startWithReasoning = false
    if (!(options.callsInReasoning ?? isRescue)) return
    reasonings.get(id)?.end()
    reasonings.set(id, createReasoningReader(createScanner, context, rescuedCalls.addFromReasoning))
  }

  return part => {
    if (!part) finish(true)
    else if (part.type === 'text-delta' && part.delta !== undefined) readDelta(part, part.delta)
    else if (part.type === 'text-end') readTextEnd(part)
    else if (part.type === 'finish') readFinish(part)
    else readOther(part)
    return output.take()
  }
}

/** `the model had to call "get_weather", and its answer contains no call` */
function describeMissingCall({ toolName }: ToolChoice): string {
  const what = toolName === undefined ? 'one of the tools' : JSON.stringify(toolName)
  return `the model had to call ${what}, and its answer contains no call`
}
