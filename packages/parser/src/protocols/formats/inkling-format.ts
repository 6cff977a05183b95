import { jsonCalls } from '../../engine/bodies/json-body.js'
import { readMessageHeader } from '../../engine/bodies/message-header.js'
import type { CallGrammar } from '../../engine/body.js'
import { formatProtocol } from '../format-protocol.js'
import { formatMaker } from '../model-format.js'
import { spacedJson } from '../text-forms.js'
import { bareTools, toolFields, toolList } from '../tool-forms.js'

const OPEN = '<|message_model|>'
const CALL = '<|content_invoke_tool_json|>'
const TEXT = '<|content_text|>'
const CLOSE = '<|end_message|>'

const headedCalls: CallGrammar = context => {
  // Where a server strips the mark before it, the name stands alone.
  const opens = [CALL, ...context.tools.names().map(name => name + CALL)]
  const calls = jsonCalls(...opens.map(open => ({ open, close: CLOSE })))(context)
  const header = { ends: [], calls: calls.slice(0, 1), isSilent: true }
  return [{ text: OPEN, read: (cursor, port) => readMessageHeader(cursor, port, header) }, ...calls]
}

/**
 *     <|message_model|><|content_text|>Let me look.<|end_message|><|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Paris"}}<|end_message|>
 *
 * The first `<|message_model|>` is the prompt's, so that a text may begin with the tool's name. The name in the JSON counts.
 */
export const inkling = /* @__PURE__ */ formatMaker('json', formatProtocol)('inkling', () => ({
  writtenBy: ['Inkling', /inkling/],
  grammar: headedCalls,
  toolsForm: { ...bareTools, show: toolList(tool => spacedJson({ ...toolFields(tool), type: 'function' })) },
  howTo:
    sample => `To call a function, write a message to it that holds a JSON object with its name and its arguments, exactly like this:

${sample(['function_name', '{"parameter":"value"}'])}

For several calls write several such messages, one after the other.`,
  call: `${OPEN}$name${CALL}{"name":"$name","args":$args}${CLOSE}`,
  marks: ['<|'],
  result: `<|message_tool|>$name${TEXT}$content${CLOSE}`,
  errorResult: `<|message_tool|>$name<|content_tool_error|>$content${CLOSE}`,
  resultJoint: '',
  reasoning: [{ opens: ['<|content_thinking|>'], closes: [CLOSE] }],
  silent: [
    ...[TEXT, CLOSE, `${CALL}${CLOSE}`, '<|content_model_end_sampling|>'],
    ...['<|message_user|>', '<|content_audio_input|>', '<|audio_end|>', '<|content_image|>'],
  ],
}))
