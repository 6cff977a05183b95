import { markedJsonFormat } from './marked-json-protocol.js'

/**
 *     <|tool_call>call:get_weather{city:<|"|>Paris<|"|>,days:3,opts:{tags:[<|"|>a<|"|>]}}<tool_call|>
 *
 * Models: Gemma 4. All marks are special tokens; a server that strips them leaves nothing to be read. Quirks that are read:
 * ordinary quotes, quoted keys, missing ends, JSON calls between the marks. Behind a call the model stops at
 * `<|tool_response>`, and with thinking switched off it begins with an empty thought.
 */
export const gemma4 = /* @__PURE__ */ markedJsonFormat('gemma4', 'Gemma 4', () => ({
  models: /gemma-?4(?![\db])/,
  quoteMark: '<|"|>',
  call: { open: '<|tool_call>', close: '<tool_call|>' },
  declaration: { open: '<|tool>', close: '<tool|>' },
  result: { open: '<|tool_response>', close: '<tool_response|>' },
  reasoning: [{ opens: ['<|channel>thought\n', '<|channel>thought'], closes: ['<channel|>'] }],
  silent: [
    ...['<|channel>thought\n<channel|>', '<|channel>thought<channel|>', '<|tool_call><tool_call|>'],
    ...['<|tool_response>', '<turn|>'],
  ],
}))

/**
 *     <start_function_call>call:get_weather{city:<escape>Paris<escape>,days:3}<end_function_call>
 *
 * Models: FunctionGemma. All marks are special tokens. Quirks that are read: those of Gemma 4, and numbers or nested values as text
 * between `<escape>`, as vLLM's template shows them to the model: the schema tells what they are.
 */
export const functionGemma = /* @__PURE__ */ markedJsonFormat('functiongemma', 'FunctionGemma', () => ({
  models: /function-?gemma/,
  quoteMark: '<escape>',
  call: { open: '<start_function_call>', close: '<end_function_call>' },
  declaration: { open: '<start_function_declaration>', close: '<end_function_declaration>' },
  result: { open: '<start_function_response>', close: '<end_function_response>' },
  silent: ['<start_function_response>', '<end_of_turn>'],
}))
