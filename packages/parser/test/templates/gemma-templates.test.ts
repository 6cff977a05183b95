import { getProtocol } from '@toolglot/parser'
import { expect, it } from 'vitest'
import { checkRenderings } from './support/conversation.js'

// The template puts the keys of a call in order; we leave them as they were, so that a call reads
// back as it was written.
checkRenderings({
  gemma4: {
    tools:
      '<|tool>declaration:get_weather{description:<|"|>Get the weather.<|"|>,parameters:{properties:{city:{description:<|"|>City name<|"|>,type:<|"|>STRING<|"|>},days:{type:<|"|>INTEGER<|"|>},opts:{properties:{tags:{items:{type:<|"|>STRING<|"|>},type:<|"|>ARRAY<|"|>},unit:{enum:[<|"|>c<|"|>,<|"|>f<|"|>],type:<|"|>STRING<|"|>}},type:<|"|>OBJECT<|"|>}},required:[<|"|>city<|"|>],type:<|"|>OBJECT<|"|>}}<tool|><|tool>declaration:get_time{description:<|"|>Get the time.<|"|>,parameters:{properties:{tz:{type:<|"|>STRING<|"|>}},required:[<|"|>tz<|"|>],type:<|"|>OBJECT<|"|>}}<tool|>',
    calls:
      '<|tool_call>call:get_weather{city:<|"|>Zürich "x"<|"|>,days:3,opts:{unit:<|"|>c<|"|>,tags:[<|"|>a<|"|>,<|"|>b<|"|>]}}<tool_call|><|tool_call>call:get_time{tz:<|"|>CET<|"|>}<tool_call|>',
    results:
      '<|tool_response>response:get_weather{value:<|"|>{"t": 21}<|"|>}<tool_response|><|tool_response>response:get_time{value:<|"|>12:00<|"|>}<tool_response|>',
  },
  functiongemma: {
    tools:
      '<start_function_declaration>declaration:get_time{description:<escape>Get the time.<escape>,parameters:{properties:{tz:{type:<escape>STRING<escape>}},required:[<escape>tz<escape>],type:<escape>OBJECT<escape>}}<end_function_declaration>',
    calls:
      '<start_function_call>call:get_weather{city:<escape>Zürich "x"<escape>,days:3,opts:{unit:<escape>c<escape>,tags:[<escape>a<escape>,<escape>b<escape>]}}<end_function_call><start_function_call>call:get_time{tz:<escape>CET<escape>}<end_function_call>',
    results:
      '<start_function_response>response:get_weather{value:<escape>{"t": 21}<escape>}<end_function_response><start_function_response>response:get_time{value:<escape>12:00<escape>}<end_function_response>',
  },
  gemma3: {
    calls:
      '[get_weather(city="Zürich \\"x\\"", days=3, opts={"unit": "c", "tags": ["a", "b"]}), get_time(tz="CET")]',
    results: '<tool_response>\n{"t": 21}</tool_response>\n<tool_response>\n12:00</tool_response>',
  },
})

it('declares a property that is named like a keyword, and data as it is', () => {
  const properties = {
    type: { type: ['string', 'null'], default: { type: 'x' } },
    enum: { enum: ['b', 'a'] },
    'a b': { type: 'string', description: 'between <|"|>' },
  }
  const odd = {
    type: 'function' as const,
    name: 'odd',
    inputSchema: { $schema: 'x', type: 'object', properties },
  }
  expect(getProtocol('gemma4').formatTools({ tools: [odd] })).toContain(
    '<|tool>declaration:odd{parameters:{properties:{"a b":{description:"between <|\\"|>",type:<|"|>STRING<|"|>},enum:{enum:[<|"|>b<|"|>,<|"|>a<|"|>]},type:{default:{type:<|"|>x<|"|>},type:[<|"|>STRING<|"|>,<|"|>NULL<|"|>]}},type:<|"|>OBJECT<|"|>}}<tool|>',
  )
})
