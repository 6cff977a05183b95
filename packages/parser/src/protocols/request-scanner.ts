import { createAnswerWatch } from '../engine/answer-watch.js'
import type { CallEndEvent, EmitEvent } from '../engine/events.js'
import type { CallGrammar, ToolNames, ToolShapes } from '../engine/grammar.js'
import { ignoredMarks, turnEndMarks, turnStartMarks } from '../engine/ignored-marks.js'
import { bareJsonCalls, jsonCalls } from '../engine/json/json-calls.js'
import { withOtherShapes } from '../engine/json/other-shapes.js'
import { marksAroundJson } from '../engine/json-answer-marks.js'
import { createMarkFinders, type MarkFinders } from '../engine/mark-finders.js'
import { withNearMarks } from '../engine/near-marks.js'
import { addedForms, withOtherForms } from '../engine/other-forms.js'
import type { ReasoningMarks, ReasoningOptions } from '../engine/reasoning-marks.js'
import { createScanner, type Scanner, type ScannerOptions } from '../engine/scanner.js'
import { createToolLookup } from '../engine/tool-lookup.js'
import { withUnreadCalls } from '../engine/unread-calls.js'
import { anyObjectShape } from '../engine/values/shape.js'
import { isForced } from '../options/parser-options.js'
import { shapeOfArguments } from '../schema/shape-of-schema.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'
import type { EngineProtocol, FormatExtras, ProtocolDefinition } from './protocol.js'

const thinkTags: ReasoningMarks = { opens: ['<think>'], closes: ['</think>'] }

/**
 * The grammars that are added if a tool choice is forced. The prompt then asks for JSON, so the answer
 * may be JSON, bare or in a fence.
 */
const forcedGrammars: readonly CallGrammar[] = [
  jsonCalls(
    ...['```json', '```JSON', '```tool_call', '```'].map(open => ({
      open,
      close: '```',
      strength: 'weak' as const,
      countsInReasoning: open !== '```',
    })),
  ),
  bareJsonCalls,
]

type ScannerGrammar = FormatExtras & Pick<ProtocolDefinition, 'grammar' | 'originalToolSchemas'>

/** Makes scanners that read the calls of a grammar, and the JSON that answers a forced choice. */
export function createGrammarScanner(definition: ScannerGrammar): EngineProtocol['createScanner'] {
  const prepareFinders = createPreparation(definition)
  return ({ tools, options = {}, emit }) => {
    const { toolChoice, forcedChoice, maxHeldChars, reasoning, onTrace } = options
    const { tolerance = 'safe' } = options
    const schemas = { ...definition.originalToolSchemas, ...options.originalToolSchemas }
    const shapes = createToolShapes(tools, schemas, toolChoice)
    const isUnprompted = options.mode === 'rescue'
    const readsJson = shapes.isForced === true && forcedChoice !== 'prompt'
    const mode = reasoning === undefined ? 'text' : reasoning ? 'parts' : 'raw'
    const { names: allNames, lookup, isForced: mustCall } = shapes
    const names = { names: allNames, lookup, isForced: mustCall, isUnprompted }
    const wantsJson = options.wantsJson === true
    const finders = prepareFinders({ names, readsJson, wantsJson, mode })
    const thinking: ReasoningOptions = {
      marks: reasoningMarks(definition),
      mode,
      startsInReasoning: options.startWithReasoning === true,
      callsInReasoningCount: options.callsInReasoning ?? definition.callsInReasoning ?? false,
    }
    const scanning = { finders, tools: shapes, maxHeldChars, tolerance, thinking, onTrace }
    return withAnswerWatch(scanning, emit)
  }
}

const scanners = new WeakMap<ScannerGrammar, EngineProtocol['createScanner']>()

/** Returns the scanner of a grammar. It is kept, with the marks that it has prepared. */
export function findScanner(definition: ScannerGrammar): EngineProtocol['createScanner'] {
  const known = scanners.get(definition) ?? createGrammarScanner(definition)
  scanners.set(definition, known)
  return known
}

const reasoningMarks = ({ reasoning = [] }: ScannerGrammar) => [...reasoning, thinkTags]

/** What the marks of a request depend on. */
interface MarkRequest {
  readonly names: ToolNames
  /** The answer may be JSON, since the tool choice is forced. */
  readonly readsJson: boolean
  /** Without a call, the answer must be JSON. */
  readonly wantsJson: boolean
  readonly mode: ReasoningOptions['mode']
}

/** The finders of the last few lists of tools are kept: the same list comes with each request. */
const MAX_PREPARED = 8

/** Returns a function that prepares the marks of requests, once for the same names of tools. */
function createPreparation(definition: ScannerGrammar): (request: MarkRequest) => MarkFinders {
  const prepared = new Map<string, MarkFinders>()
  return request => {
    const { names, ...others } = request
    const { isForced, isUnprompted } = names
    const key = JSON.stringify([names.names(), isForced, isUnprompted, others])
    const finders = prepared.get(key) ?? createFinders(definition, request)
    if (prepared.size === MAX_PREPARED) prepared.clear()
    prepared.set(key, finders)
    return finders
  }
}

function createFinders(definition: ScannerGrammar, request: MarkRequest): MarkFinders {
  const { names, readsJson, wantsJson, mode } = request
  const grammars = [definition.grammar, ...(readsJson ? forcedGrammars : [])]
  const own = grammars.flatMap(each => each(names))
  const others = definition.otherForms?.(names) ?? []
  const callMarks = [
    ...ignoredMarks(definition.silent ?? []),
    ...withUnreadCalls(withNearMarks(withOtherForms(own, others))),
    ...addedForms(own, others),
  ]
  const marks = [
    // An answer in JSON is not a call in another shape.
    ...(wantsJson ? marksAroundJson(callMarks) : withOtherShapes(callMarks, names)),
    ...turnStartMarks,
    ...turnEndMarks,
  ]
  return createMarkFinders(marks, { marks: reasoningMarks(definition), mode })
}

/** Makes a scanner that also reports an answer that looks like a call and was not read as one. */
function withAnswerWatch(options: Omit<ScannerOptions, 'emit'>, emit: EmitEvent): Scanner {
  const watch = createAnswerWatch(options.tools.lookup)
  const scanner = createScanner({
    ...options,
    emit(event) {
      watch.see(event)
      emit(event)
    },
  })
  return {
    ...scanner,
    end(isCut) {
      scanner.end(isCut)
      const suspicion = watch.suspect()
      if (suspicion) emit(suspicion)
    },
  }
}

/** Returns the calls of a whole text. */
export function readCalls(
  create: EngineProtocol['createScanner'],
  text: string,
  tools: readonly FunctionTool[],
) {
  const calls: CallEndEvent[] = []
  const scanner = create({ tools, emit: event => event.type === 'call-end' && calls.push(event) })
  scanner.feed(text)
  scanner.end()
  return calls
}

/** Returns the tools of a request for the engine. `schemas` replaces a tool's own schema. */
export function createToolShapes(
  tools: readonly FunctionTool[],
  schemas: Readonly<Record<string, unknown>> = {},
  toolChoice?: ToolChoice,
): ToolShapes {
  const byName = new Map(
    tools.map(({ name, inputSchema }) => [
      name,
      Object.hasOwn(schemas, name) ? schemas[name] : inputSchema,
    ]),
  )
  const forcedToolName = toolChoice?.toolName
  const names = [...byName.keys()]
  const lookup = createToolLookup(names)
  const schemaOf = (written: string) =>
    byName.get(forcedToolName ?? lookup.findCalled(written) ?? '')
  return {
    isForced: isForced(toolChoice),
    forcedToolName,
    has: written => lookup.find(written) !== undefined,
    names: () => names,
    lookup,
    shapeOf(written) {
      const schema = schemaOf(written)
      return schema === undefined ? anyObjectShape : shapeOfArguments(schema)
    },
  }
}
