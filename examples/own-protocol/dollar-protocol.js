import { renderSignature } from '@toolglot/parser'
import {
  defineProtocol,
  escapeControlTokens,
  escapeMarks,
  jsonCalls,
  readToolOutput,
} from '@toolglot/parser/protocol'

const marks = ['$call', '$end']

/**
 * JSON in which no text can act as a call of this format, or as a special token of the model.
 *
 * @param {unknown} value
 */
const toJson = value => escapeMarks(escapeControlTokens(JSON.stringify(value)), marks)

/**
 * The model writes `$call{"name": "roll_dice", "arguments": {"count": 3}}$end`.
 *
 * Streaming, types by the schema, repairs and forced choices come with `jsonCalls`.
 */
export const dollarProtocol = defineProtocol({
  // How calls are read.
  grammar: jsonCalls({ open: '$call', close: '$end' }),

  // What the system prompt says.
  renderTools: tools => tools.map(each => `- ${renderSignature(each)}`).join('\n'),
  toolSystemPromptTemplate: toolsText =>
    [
      'You can use these tools:',
      toolsText,
      'To use one, write $call{"name": "…", "arguments": {…}}$end and wait for its result.',
    ].join('\n'),

  // How earlier calls and results are shown to the model.
  formatToolCall: ({ toolName, input }) =>
    `$call${toJson({ name: toolName, arguments: input })}$end`,
  formatToolResponse({ toolName, output }) {
    const { value, isError } = readToolOutput(output)
    return `${isError ? '$error' : '$result'} ${toolName}: ${toJson(value)}`
  },
})
