import * as parser from '@toolglot/parser'
import { defineProtocol, elementCalls, taggedProtocol } from '@toolglot/parser/protocol'
import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/formats/catalogue.js'
import { transform, userSays } from './support/direct.js'
import { ai6Version } from './support/sdk-versions.js'
import { weatherTool } from './support/weather.js'

/** Options as JavaScript may give them. */
type AnyOptions = Record<string, never>

const definition = {
  grammar: elementCalls,
  renderTools: () => '',
  toolSystemPromptTemplate: () => '',
  formatToolCall: () => '',
  formatToolResponse: () => '',
}
const model = ai6Version.createMock({
  doGenerate: async () => ({}),
  doStream: async () => ({ stream: new ReadableStream() }),
})

/** Every factory that takes options, with a wrong name and the one that was meant. */
const factories: [
  name: string,
  make: (options: AnyOptions) => unknown,
  wrong: string,
  meant: string,
][] = [
  ['createToolMiddleware', parser.createToolMiddleware, 'reasonning', 'reasoning'],
  ['createToolMiddleware', parser.createToolMiddleware, 'protocoll', 'protocol'],
  ['createToolMiddleware', options => parser.wrapToolModel(model, options), 'onerror', 'onError'],
  [
    'createFormatMiddleware',
    options => parser.createFormatMiddleware([hermes], options),
    'placment',
    'placement',
  ],
  ['compactTools', parser.compactTools, 'manualheader', 'manualHeader'],
  ['compactTools', parser.compactTools, 'fallback_to_json', 'fallbackToJson'],
  ['compactProtocol', parser.compactProtocol, 'sintax', 'syntax'],
  ['planTools', options => parser.planTools([weatherTool], options), 'Syntax', 'syntax'],
  ['jsonMixProtocol', parser.jsonMixProtocol, 'toolCallBegin', 'toolCallEnd'],
  ['morphXmlProtocol', parser.morphXmlProtocol, 'originalToolSchema', 'originalToolSchemas'],
  [
    'defineProtocol',
    options => defineProtocol({ ...definition, ...options }),
    'grammer',
    'grammar',
  ],
]

describe('an option that does not exist', () => {
  test.for(factories)(
    'is refused by %s, which names the nearest: %3$s',
    ([name, make, wrong, meant]) => {
      const given = { [wrong]: 'x' } as AnyOptions
      expect(() => make(given)).toThrow(TypeError)
      expect(() => make(given)).toThrow(`${name} has no option "${wrong}". Did you mean ${meant}?`)
    },
  )

  test('that is like no other is refused with the names of all', () => {
    const given = { zzzzzz: undefined } as unknown as AnyOptions
    expect(() => parser.compactTools(given)).toThrow(
      'has no option "zzzzzz". Its options are: syntax, fallbackToJson',
    )
  })

  test.for(['mode', 'toolSystemPromptTemplate', 'protocol'])(
    'may exist elsewhere: compactTools has no %s',
    option => {
      expect(() => parser.compactTools({ [option]: undefined } as AnyOptions)).toThrow(
        `no option "${option}"`,
      )
    },
  )

  test('of a single call reaches the protocol', async () => {
    const params = { prompt: [userSays('Hi')], tools: [weatherTool] }
    const providerOptions = parser.toolCallOptions({ reasonning: true })
    const made = await transform(parser.createToolMiddleware(), { ...params, providerOptions })
    expect(made.providerOptions?.toolCallMiddleware).toMatchObject({ reasonning: true })
  })
})

test('a tagged protocol refuses an option that does not exist', () => {
  const options = { call: '<f name="$name">$args</f>', argument: '<p name="$key">$value</p>' }
  expect(taggedProtocol(options)).toBeDefined()
  expect(() => taggedProtocol({ ...options, arround: '$call' } as typeof options)).toThrow(
    'taggedProtocol has no option "arround". Did you mean around?',
  )
})
