import { type ArgumentWriter, createArgumentWriter } from './argument-writer.js'
import { type CallEndEvent, type EmitEvent, malformed, type Problem } from './events.js'
import { calledToolName } from './forced-name.js'
import type { ToolShapes } from './grammar.js'
import {
  createRepair,
  describeDoubt,
  isRefused,
  type Repair,
  type RepairCode,
  type Tolerance,
} from './repairs.js'
import { createTextCollector, type TextCollector } from './text/text-collector.js'
import { isJson } from './values/scalar.js'

export type CallRecorder = ReturnType<typeof createCallRecorder>

interface CallRecorderOptions {
  readonly tools: ToolShapes
  readonly maxHeldChars: number
  /** Which repairs make a call invalid. Default: none. */
  readonly tolerance?: Tolerance | undefined
  /** Says what is wrong with a call that lasts to the end of the text. */
  readonly explainCut?: ((problem: Problem, raw: string) => Problem) | undefined
  /** Returns the place of the cursor in the whole text. */
  readonly offset?: (() => number) | undefined
  readonly emit: EmitEvent
}

/**
 * The open call of a text: it gets a writer for its arguments, and its events are emitted. A format
 * that is only tried has one too, whose events go nowhere.
 */
export function createCallRecorder({
  tools,
  maxHeldChars,
  tolerance = 'eager',
  offset = () => 0,
  explainCut = problem => problem,
  emit,
}: CallRecorderOptions) {
  let toolName = ''
  /** Writes the arguments of the open call. */
  let writer: ArgumentWriter | undefined
  /** The arguments that were emitted so far. */
  const input = createTextCollector()
  /** The call that ended last. It waits for the markup after it: `…</tool_call>|` */
  let endedCall: CallEndEvent | undefined
  /** The repairs of the open call, or of one that may begin. */
  let repairs: Repair[] = []

  /** Emits what was written since the last time, and then text as it is. */
  const flush = (rawText = '') => {
    // `{"city":|` The rest of a call that cannot be read comes after its key.
    if (rawText) writer?.finish()
    const delta = (writer?.take() ?? '') + rawText
    if (delta === '') return
    input.push(delta)
    emit({ type: 'call-delta', delta })
  }
  /** Emits the call that ended last, if it was not yet. Its raw text may have grown. */
  const emitEnded = (raw = endedCall?.raw ?? '') => {
    if (endedCall) emit(decideEnded({ ...endedCall, raw }))
    endedCall = undefined
  }
  /** `<tool_call>{…}| So.` What was recorded after the end of a call may refuse it too. */
  const decideEnded = (ended: CallEndEvent): CallEndEvent => {
    const doubt = ended.problem ? undefined : findRefused(ended.repairs, tolerance)
    if (!doubt) return ended
    input.push(ended.input)
    flush(ended.raw)
    return { ...ended, input: takeInvalidInput(input, flush), problem: doubtful(doubt) }
  }

  // What is recorded here decides at the end of the call whether it runs (decision 75).
  const note = (code: RepairCode, offset: number, path = writer?.path()) => {
    const found = createRepair(code, offset, path)
    // `{…}|}`: what follows a call belongs to it until another begins.
    if (endedCall && !writer) endedCall = { ...endedCall, repairs: [...endedCall.repairs, found] }
    else repairs.push(found)
  }

  return {
    flush,
    /** Records a repair of the open call, of the one that ended last, or of one that may begin. */
    note,
    /** A mark was found: what was recorded before is not about the call that it may open. */
    forgetRepairs() {
      repairs = []
    },
    emitEnded,
    endedRaw: () => endedCall?.raw ?? '',
    toolName: () => toolName,
    /** There was a call. */
    hasCalled: () => toolName !== '',
    /** Begins a call with the name that was written, or with the one that is forced. */
    begin(writtenName: string): ArgumentWriter {
      emitEnded()
      toolName = calledToolName(tools, writtenName)
      if (isRespelt(tools, writtenName, toolName)) note('tool-name', offset())
      writer = createArgumentWriter(tools.shapeOf(writtenName), maxHeldChars, { offset, note })
      emit({ type: 'call-start', toolName })
      return writer
    },
    /**
     * Ends the open call with one event, which carries its problem (decision 2); returns false if
     * no call is open. `takeRaw` returns the call as the model wrote it.
     */
    end(problem: Problem | undefined, takeRaw: () => string, callOffset: number): boolean {
      if (!writer) return false
      writer.finish()
      flush()
      const doubt = findRefused(repairs, tolerance)
      const raw = takeRaw()
      const failure = problem && explainCut(problem, raw)
      const found = failure ?? writer.error() ?? findNonObject(input) ?? (doubt && doubtful(doubt))
      writer = undefined
      if (found?.code === 'doubtful-call') flush(raw)
      endedCall = {
        type: 'call-end',
        toolName,
        input: found ? takeInvalidInput(input, flush) : input.take(),
        raw,
        offset: callOffset,
        problem: found,
        repairs,
      }
      repairs = []
      return true
    },
  }
}

/** `Get_Weather` for `get_weather` (decision 84) */
const isRespelt = ({ lookup }: ToolShapes, writtenName: string, toolName: string) =>
  writtenName !== toolName && lookup.findCalled(writtenName) === toolName

/** `"arguments": "Paris"`: the arguments are not an object (decision 85). */
function findNonObject(input: TextCollector): Problem | undefined {
  const start = input.start()
  if (start === '' || start.startsWith('{')) return undefined
  const kind = nonObjects.get(start.charAt(0)) ?? 'a number or a constant'
  return malformed(`expected a JSON object as the arguments, found ${kind}`)
}

const nonObjects = new Map([
  ['"', 'a string'],
  ['[', 'a list'],
])

/** Takes the input of a call that must not run, so that it does not look complete (decision 16). */
function takeInvalidInput(input: TextCollector, flush: (rawText: string) => void): string {
  const text = input.take()
  const isEmpty = text.trim() === ''
  if (!isEmpty && !isJson(text)) return text
  // An empty input counts as an empty object for the SDK.
  flush(isEmpty ? '{' : ' (malformed)')
  return text + input.take()
}

/** The first repair that makes a call invalid. */
const findRefused = (repairs: readonly Repair[], tolerance: Tolerance) =>
  repairs.find(each => isRefused(each, tolerance))

const doubtful = (doubt: Repair): Problem => ({
  code: 'doubtful-call',
  message: describeDoubt(doubt),
})
