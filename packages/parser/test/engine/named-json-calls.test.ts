import { expect, it } from 'vitest'
import { findHeaderName } from '../../src/engine/json/named-json-calls.js'

const grammar = {
  header: /^<call>(?:(?:functions\.)?(?<name>[\w.]+)(?::\d+)?|to=(?<declared>\w+))$/,
  aroundName: /^functions|\d+$/g,
}
const tools = { has: (name: string) => name === 'get_weather' }

it.each([
  // header                               name
  ['<call>get_weather', 'get_weather'],
  ['<call>functions.get_weather:0', 'get_weather'],
  ['<call>functionsget_weather0', 'get_weather'],
  ['<call>functionsget_time0', 'functionsget_time0'],
  ['<call>to=get_weather', 'get_weather'],
  ['<call>to=get_time', ''],
  ['<call>', ''],
  ['<call>get weather', ''],
])('%s names %s', (header, expected) => {
  expect(findHeaderName(header, grammar, tools).name).toBe(expected)
})
