import { type NamedJsonGrammar, namedJsonCalls } from '../../engine/bodies/named-json-body.js'
import type { FunctionTool, ToolCall, ToolResult } from '../../sdk/parts.js'
import { readToolOutput } from '../../sdk/tool-result.js'
import { defineProtocol } from '../define-protocol.js'
import { hideMarks, readCallInput, spacedJson, toolAsJson } from '../text-forms.js'
import type { EngineProtocol } from '../tool-call-protocol.js'

/** A format with the tool's name in its markup and the arguments as JSON: what is read, and how the same is written. */
export interface NamedJsonDefinition {
  readonly grammar: NamedJsonGrammar
  /** Marks around results and tools. Neither these nor the grammar's own may stand in a value. */
  readonly otherMarks: readonly string[]
  readonly writeCall: (call: WrittenCall) => string
  /** Puts the calls of one message together. */
  readonly joinCalls: (calls: readonly string[]) => string
  readonly writeResult: (result: WrittenResult) => string
  /** The tools as the chat template shows them. */
  readonly showTools?: ((tools: readonly FunctionTool[]) => string) | undefined
}

export interface WrittenCall {
  readonly id: string
  readonly name: string
  /** JSON text. */
  readonly args: string
  /** The place of the call in its message. */
  readonly index: number
}

export interface WrittenResult {
  readonly id: string
  readonly name: string
  readonly content: string
}

export function namedJsonProtocol(definition: NamedJsonDefinition): EngineProtocol {
  const { grammar, otherMarks, writeCall, joinCalls, writeResult } = definition
  const { section, opens, separators = [], ends, silent = [] } = grammar
  const marks = [
    ...new Set([
      ...(section?.opens ?? []),
      ...(section?.closes ?? []),
      ...opens,
      ...separators,
      ...ends,
      ...silent,
      ...otherMarks,
    ]),
  ]
  const formatCall = (toolCall: ToolCall, index: number) => {
    const input = readCallInput(toolCall)
    const args = hideMarks('json' in input ? input.json : JSON.stringify(input.text), marks)
    return writeCall({ id: toolCall.toolCallId, name: toolCall.toolName, args, index })
  }
  const sample = (...args: readonly string[]) =>
    joinCalls(args.map((each, index) => writeCall({ id: `call${index}`, name: 'function_name', args: each, index })))

  return defineProtocol({
    grammar: namedJsonCalls(grammar),
    renderTools: definition.showTools ?? (tools => tools.map(toolAsJson).join('\n')),
    toolSystemPromptTemplate: tools => `# Tools

You can call these functions. Each is shown with the JSON Schema of its parameters:

${tools}

To call a function, write its name and a JSON object with its arguments exactly like this:

${sample('{"parameter": "value"}')}

Two calls look like this:

${sample('{"parameter": "one"}', '{"parameter": "two"}')}

Call only functions that are listed. Behind the last call stop and wait: the results come in the next message. When no function is needed, answer as usual and write no marks.`,
    formatToolCall: toolCall => joinCalls([formatCall(toolCall, 0)]),
    formatToolCalls: toolCalls => joinCalls(toolCalls.map(formatCall)),
    formatToolResponse({ toolCallId, toolName, output }: ToolResult) {
      const { value, isError } = readToolOutput(output)
      // Text that could leave its wrapper goes in as a JSON string, which can spell any mark in another way.
      const isSafe = typeof value === 'string' && !isError && !marks.some(mark => value.includes(mark))
      const content = isSafe ? value : hideMarks(spacedJson(isError ? { error: value } : value), marks)
      return writeResult({ id: toolCallId, name: toolName, content })
    },
  })
}
