import { type NamedJsonGrammar, namedJsonCalls } from '../../engine/bodies/named-json-body.js'
import type { FormatTraits } from '../define-protocol.js'
import { formatProtocol, type ResultsForm } from '../format-protocol.js'
import { formatMaker } from '../model-format.js'
import { callArguments, hideMarks } from '../text-forms.js'
import type { EngineProtocol } from '../tool-call-protocol.js'
import type { ToolsForm } from '../tool-forms.js'

/** A format with the tool's name in its markup and the arguments as JSON: what is read, and how the same is written. */
interface NamedJsonDefinition extends FormatTraits {
  readonly grammar: NamedJsonGrammar
  /** Marks around results and tools. Neither these nor the grammar's own may stand in a value. */
  readonly otherMarks: readonly string[]
  /** `args` is JSON text, `index` the place of the call in its message. */
  readonly writeCall: (call: { id: string; name: string; args: string; index: number }) => string
  /** The calls of one message, where they do not just stand one behind the other. */
  readonly joinCalls?: (calls: readonly string[]) => string
  readonly resultsForm: ResultsForm
  /** The tools as the chat template shows them. */
  readonly toolsForm?: ToolsForm
}

function namedJsonProtocol(definition: NamedJsonDefinition): EngineProtocol {
  const { grammar, otherMarks, writeCall, joinCalls = calls => calls.join(''), resultsForm } = definition
  const { section, opens, separators = [], ends } = grammar
  const thoughts = (definition.reasoning ?? []).flatMap(({ opens, closes }) => [...opens, ...closes])
  const sections = section ? [...section.opens, ...section.closes] : []
  const own = [...sections, ...opens, ...separators, ...ends, ...(definition.silent ?? []), ...thoughts]
  const marks = [...new Set([...own, ...otherMarks])]
  const sample = (...args: readonly string[]) =>
    joinCalls(args.map((each, index) => writeCall({ id: `call${index}`, name: 'function_name', args: each, index })))
  return formatProtocol({
    ...definition,
    grammar: namedJsonCalls(grammar),
    howTo: () => `To call a function, write its name and a JSON object with its arguments exactly like this:

${sample('{"parameter": "value"}')}

Two calls look like this:

${sample('{"parameter": "one"}', '{"parameter": "two"}')}`,
    writeCalls: toolCalls =>
      joinCalls(
        toolCalls.map((toolCall, index) => {
          const args = hideMarks(callArguments(toolCall), marks)
          return writeCall({ id: toolCall.toolCallId, name: toolCall.toolName, args, index })
        }),
      ),
    resultsForm: { ...resultsForm, marks },
  })
}

export const namedJsonFormat = /* @__PURE__ */ formatMaker('named-json', namedJsonProtocol)
