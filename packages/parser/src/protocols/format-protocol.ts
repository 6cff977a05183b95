// Makes a protocol from a format's grammar and templates. All built-in formats are made here: the
// grammar reads calls, `call-writer.ts` and `result-writer.ts` write the history, and the `howTo`
// and the tools become the prompt.
import type { FunctionTool } from '../sdk/parts.js'
import { functionPrompt, writeTools } from '../writing/tool-prompt.js'
import { writeCalls } from './call-writer.js'
import { createEngineProtocol } from './define-protocol.js'
import type { FormatDefinition, SampleCall } from './format-definition.js'
import type { EngineProtocol } from './protocol.js'
import { marksOfCalls, writeResults } from './result-writer.js'

export type { FormatTemplates } from './format-definition.js'

/** Makes the protocol of a built-in format. */
export function formatProtocol(format: FormatDefinition): EngineProtocol {
  return createEngineProtocol({
    ...format,
    renderTools: tools => writeTools(format.toolsForm ?? {}, tools, marksOfCalls(format)),
    toolSystemPromptTemplate: (toolsText, tools) => writePrompt(format, toolsText, tools),
    formatToolCall: (toolCall, context) => writeCalls(format, [toolCall], context),
    formatToolCalls: (toolCalls, context) =>
      toolCalls.length ? writeCalls(format, toolCalls, context) : '',
    formatToolResponse: (toolResult, context) => writeResults(format, [toolResult], context),
    formatToolResponses: (toolResults, context) => writeResults(format, toolResults, context),
  })
}

function writePrompt(
  format: FormatDefinition,
  toolsText: string,
  tools: readonly FunctionTool[],
): string {
  const { toolsForm: form = {}, prompt = functionPrompt, howTo } = format
  const sample = (...samples: readonly SampleCall[]) => writeSamples(format, samples)
  return prompt({ form, tools: toolsText, howTo: howTo(sample, tools) })
}

/** Writes example calls, each as if its tool were declared. */
function writeSamples(format: FormatDefinition, samples: readonly SampleCall[]): string {
  const calls = samples.map(([toolName, input]) => ({ toolCallId: '', toolName, input }))
  return writeCalls(format, calls, { tools: samples.map(sampleTool) })
}

/** The tool of an example call: `{ key: 'text', other: 5 }` takes a string and a number. */
function sampleTool([name, input]: SampleCall): FunctionTool {
  const properties = Object.entries(input).map(([key, value]) => [key, { type: typeof value }])
  return {
    type: 'function',
    name,
    inputSchema: { type: 'object', properties: Object.fromEntries(properties) },
  }
}
