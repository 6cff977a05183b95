import { describe, expect, it } from 'vitest'
import { isPartOfTagAt, isTagAt } from '../../src/engine/text/any-case.js'

// biome-ignore format: a table
describe('a tag in any case', () => {
  it.each([
    // tag            text             whole  part
    ['<tool_call>',   '<Tool_CALL>{',  true,  false],
    ['<tool_call>',   '<tool_call>',   true,  true],
    ['<tool_call>',   '<TOOL_',        false, true],
    ['<tool_call>',   '<tool-call>',   false, false],
    ['</Function>',   '</function>',   true,  true],
    // Only letters have two cases.
    ['<a[b>',         '<a{b>',         false, false],
    ['<tool_call>',   '<toolÿcall>',   false, false],
    // Only tags that begin with a letter are meant.
    ['<|Call|>',      '<|call|>',      false, false],
    ['CALL',          'call',          false, false],
    ['<parameter=',   '',              false, false],
  ] as const)('%s in %s', (tag, text, isWhole, isPart) => {
    expect(isTagAt(tag, text)).toBe(isWhole)
    expect(isPartOfTagAt(tag, text)).toBe(isPart)
  })
})
