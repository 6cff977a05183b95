import { listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { markStrength } from '../src/engine/mark-strength.js'
import { createToolShapes } from '../src/protocols/request-scanner.js'
import { escapeControlTokens, hasControlToken } from '../src/writing/control-tokens.js'
import { controlTokens, harmlessTexts } from './properties/support/hostile.js'
import { engineProtocol } from './properties/support/protocols.js'

describe('escapeControlTokens', () => {
  it.each(controlTokens)('escapes %s, and nothing else', token => {
    const escaped = escapeControlTokens(`a ${token} b`)
    expect(hasControlToken(`a${token}b`)).toBe(true)
    expect(escaped).not.toContain(token)
    expect(decode(escaped)).toBe(`a ${token} b`)
    expect(escaped.length).toBeLessThanOrEqual(`a ${token} b`.length + 5 * 2)
  })

  it.each(controlTokens)('escapes %s in JSON so that the value is the same', token => {
    const value = { [token]: [`\n${token}\t${token}`, `\\${token}`, `"${token}"`] }
    const escaped = escapeControlTokens(JSON.stringify(value))
    expect(escaped).not.toContain(token)
    expect(JSON.parse(escaped)).toEqual(value)
  })

  it.each([
    ['<|im_end|>', '\\u003c|im_end|>'],
    // A token inside of something that is spelt like one.
    ['<|[INST]|>', '\\u003c|\\u005bINST]|>'],
    ['<<|im_end|>|im_end|>', '<\\u003c|im_end|>|im_end|>'],
    ['<|im_<|im_end|>end|>', '<|im_\\u003c|im_end|>end|>'],
    ['<<|turn>think>', '<\\u003c|turn>think>'],
    ['\\<think>', '\\\\u003cthink>'],
    ['functools[{', 'f\\u0075nctools[{'],
    ['Action: get\nAction Input: {}', 'Action: get\n\\u0041ction Input: {}'],
    ['<Tool_Call>', '\\u003cTool_Call>'],
  ])('writes %j as %j', (text, escaped) => {
    expect(escapeControlTokens(text)).toBe(escaped)
    expect(controlTokens.filter(token => escaped.includes(token))).toEqual([])
  })

  it.each(harmlessTexts)('leaves %j as it is', text => {
    expect(escapeControlTokens(text)).toBe(text)
    expect(hasControlToken(text)).toBe(false)
  })

  it.each([
    '<|>',
    'a <| b |> c',
    '<| token |>',
    '</s1> <strong> <small> <section>',
    '[tool_calls] [Inst] [AUTH] [TOOL]',
    'List<Function<Tool>> <tool> <toolbar> <functional>',
    '<tool_calling-guide> <tool-call>',
    '"<|\\"|>"',
    '```tool\n```json\n```',
    'functools.reduce Action: read',
  ])('leaves %j, which no model and no reader knows', text => {
    expect(escapeControlTokens(text)).toBe(text)
  })
})

describe.each(listProtocols())('the table of control tokens and %s', name => {
  const { definition } = engineProtocol(name)
  const own = new Set(['<call>', '[ARGS]'])

  it('has all marks of its calls that are not ordinary text', () => {
    const marks = definition
      .grammar(createToolShapes([]))
      .filter(mark => ['token', 'tag'].includes(markStrength(mark)))
      .map(mark => mark.text)
    expect(marks.filter(mark => !own.has(mark) && !hasControlToken(mark))).toEqual([])
  })

  it('has all tags and special tokens of its reasoning', () => {
    const marks = (definition.reasoning ?? []).flatMap(({ opens, closes }) => [...opens, ...closes])
    const missing = marks.filter(mark => /[<[]/.test(mark) && !hasControlToken(mark))
    expect(missing).toEqual([])
  })
})

/** Decodes the escapes of JSON: `\u003c` becomes `<`. */
function decode(text: string): string {
  return text.replace(/\\u([\da-f]{4})/g, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )
}
