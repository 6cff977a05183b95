import { strippedCalls } from '../engine/json/stripped-calls.js'
import { markedJsonProtocol } from '../protocols/marked-json-protocol.js'
import { formatMaker } from './model-format.js'

const markedJsonFormat = /* @__PURE__ */ formatMaker('marked-json', markedJsonProtocol)

/** `call:get_weather{city:"Paris"}` */
const strippedGemma = /* @__PURE__ */ strippedCalls({
  starts: ['call:'],
  ends: ['<tool_call|>', '<end_function_call>'],
  quoteMark: '<|"|>',
})

/**
 *     <|tool_call>call:get_weather{city:<|"|>Paris<|"|>}<tool_call|>
 *
 * The marks are special tokens: a server that strips them leaves `call:get_weather{…}`, which is
 * read too. Also read: ordinary quotes, quoted keys, missing ends, parentheses for braces, `=` for
 * `:`, no `call:`, JSON calls between the marks. After a call the model stops at
 * `<|tool_response>`. If thinking is off, the answer begins with empty reasoning.
 */
export const gemma4 = /* @__PURE__ */ markedJsonFormat('gemma4', () => ({
  writtenBy: ['Gemma 4', /gemma-?4(?![\db])/],
  quoteMark: '<|"|>',
  otherForms: strippedGemma,
  call: '<|tool_call>call:$name$args<tool_call|>',
  tool: '<|tool>declaration:$name$declare<tool|>',
  result: '<|tool_response>response:$name{value:<|"|>$content<|"|>}<tool_response|>',
  reasoning: [{ opens: ['<|channel>thought\n', '<|channel>thought'], closes: ['<channel|>'] }],
  silent: [
    ...['<|channel>thought\n<channel|>', '<|channel>thought<channel|>', '<|tool_call><tool_call|>'],
    ...['<|tool_response>', '<turn|>'],
  ],
}))

/**
 *     <start_function_call>call:get_weather{city:<escape>Paris<escape>}<end_function_call>
 *
 * Also read: what is read for Gemma 4, and numbers or nested values as text between `<escape>`, as
 * vLLM's template shows them to the model. The schema decides their type.
 */
export const functionGemma = /* @__PURE__ */ markedJsonFormat('functiongemma', () => ({
  writtenBy: ['FunctionGemma', /function-?gemma/],
  quoteMark: '<escape>',
  call: '<start_function_call>call:$name$args<end_function_call>',
  tool: '<start_function_declaration>declaration:$name$declare<end_function_declaration>',
  result:
    '<start_function_response>response:$name{value:<escape>$content<escape>}<end_function_response>',
  silent: ['<start_function_response>', '<end_of_turn>'],
}))
