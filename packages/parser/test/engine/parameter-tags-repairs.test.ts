import { describe, expect, it } from 'vitest'
import { engineProtocol, toolOf } from '../properties/support/protocols.js'
import { readEvents } from '../support/read-answer.js'

const getWeather = toolOf('get_weather', {
  type: 'object',
  properties: {
    city: { type: 'string' },
    days: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
  },
})

/** Reads an answer and returns the repairs of its calls, each with its argument. */
function readRepairs(name: string, text: string): string {
  return readEvents({ protocol: engineProtocol(name), tools: [getWeather], chunks: [text] })
    .flatMap(event => (event.type === 'call-end' ? event.repairs : []))
    .map(({ code, path = '' }) => `${code} ${path}`.trim())
    .join(', ')
}

const qwen = (args: string) => `<tool_call><function=get_weather>${args}</function></tool_call>`
const glm = (args: string) => `<tool_call>get_weather${args}</tool_call>`
const invoke = (args: string) =>
  `<function_calls><invoke name="get_weather">${args}</invoke></function_calls>`

describe('the repairs of qwen3_coder', () => {
  it.each([
    // arguments                                                  repairs
    ['<parameter=city>\nParis\n</parameter>', ''],
    ['<parameter=city>Paris</parameter><parameter=days>3</parameter>', ''],
    ['<parameter=city>Paris<parameter=days>3</parameter>', 'missing-close city'],
    ['<parameter=city>Paris</parameter></parameter>', 'extra-close city'],
    ['<parameter=city>a </parameter> b</parameter>', 'close-in-text city'],
    ['<parameter=city>a <parameter x="1">c</parameter> b</parameter>', ''],
    ['<parameter=city>Paris<</parameter>', 'markup-at-edge city'],
    ['<parameter=city>1 <</parameter>', ''],
    ['<parameter=city>\nParis\np</parameter>', 'markup-at-edge city'],
    ['<parameter=city>\nif (a) {\n}</parameter>', ''],
    ['<parameter=city>{\n"a": 1\n}\n</parameter>', ''],
    ['<parameter=city>4\n</parameter>', ''],
    ['<parameter=tags>["a", "b"]</parameter>', ''],
    ['<parameter=tags>["a", "b",]</parameter>', 'extra-comma tags[1]'],
    ['<parameter=tags>["a"", "b"]</parameter>', 'doubtful-quote tags[0]'],
    ['<parameter=arguments>{"city": "Paris"}</parameter>', 'other-notation'],
    ['{"city": "Paris"}', ''],
  ])('%j: %s', (args, repairs) => {
    expect(readRepairs('qwen3_coder', qwen(args))).toBe(repairs)
  })

  it.each([
    // answer                                                                    repairs
    ['<tool_call><function=get_weather><parameter=days>3</parameter></tool_call>', 'missing-close'],
    [`${qwen('<parameter=days>3</parameter></function>')}`, 'extra-close'],
    ['<tool_call>{"name": "get_weather", "arguments": {"days": 3}}</tool_call>', 'other-notation'],
  ])('%s: %s', (text, repairs) => {
    expect(readRepairs('qwen3_coder', text).replaceAll(' days', '')).toBe(repairs)
  })
})

describe('the repairs of glm_4_5', () => {
  it.each([
    ['<arg_key>city</arg_key><arg_value>Paris</arg_value>', ''],
    ['<arg_key>city</arg_key>Paris</arg_value>', 'missing-open city'],
    ['<arg_key>city</arg_key></arg_key><arg_value>Paris</arg_value>', 'extra-close'],
    [
      '<arg_key>city</arg_key><arg_vlaue>Paris</arg_value>',
      'markup-at-edge city, missing-open city',
    ],
    [
      '<arg_key>city</arg_key>><arg_value>Paris</arg_value>',
      'markup-at-edge city, missing-tag city',
    ],
    [
      '<arg_key>city</arg_key><arg_key>days</arg_key><arg_value>3</arg_value>',
      'missing-value city',
    ],
    [
      '<arg_key>days</arg_key><arg_value>3</arg_value><arg_key>city</arg_key>',
      'missing-value city',
    ],
  ])('%s: %s', (args, repairs) => {
    expect(readRepairs('glm_4_5', glm(args))).toBe(repairs)
  })
})

describe('the repairs of tags with attributes', () => {
  it.each([
    ['anthropic_xml', '<parameter name="city">Paris</parameter>', ''],
    ['anthropic_xml', '<parameter name="city" type="string">Paris</parameter>', ''],
    ['anthropic_xml', '<parameter name="city"">Paris</parameter>', 'junk-in-tag city'],
    ['anthropic_xml', '<parameter name="city">="x">Paris</parameter>', ''],
  ])('%s, %s: %s', (name, args, repairs) => {
    expect(readRepairs(name, invoke(args))).toBe(repairs)
  })
})
