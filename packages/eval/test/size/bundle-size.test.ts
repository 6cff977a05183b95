import { describe, expect, it } from 'vitest'
import { measureBundle } from '../../src/size/measure-bundle.js'

/**
 * A text of each format that others must not ship. Tags of arguments are not such: models mix them up,
 * so all formats with tags read those of the others (decision 82).
 */
const marks = {
  qwen3Coder: 'Qwen3-Coder, Nemotron 3',
  glm: 'GLM 4.7 and 5',
  kimi: '<|tool_calls_section_begin|>',
  mistral: '[TOOL_CALLS]',
  gemma4: '<|tool_call>',
  gptOss: 'to=functions.',
}
type Family = keyof typeof marks
const families: readonly Family[] = ['qwen3Coder', 'glm', 'kimi', 'mistral', 'gemma4', 'gptOss']

describe('what an application ships', () => {
  it.each(families)('of %s no other format', async family => {
    const { code } = await measureBundle(
      `export { ${family}ToolMiddleware } from '@toolglot/parser'`,
    )
    const found = families.filter(each => code.includes(marks[each]))
    expect(found).toEqual([family])
  })

  it('of one format less than three quarters of what all of them weigh', async () => {
    const one = await measureBundle("export { qwen3CoderToolMiddleware } from '@toolglot/parser'")
    const all = await measureBundle("export { createToolMiddleware } from '@toolglot/parser'")
    expect(one.bytes).toBeLessThan(all.bytes * 0.75)
    for (const family of families) expect(all.code).toContain(marks[family])
  })

  it('of a format with options the same as of its preset', async () => {
    const own = await measureBundle(
      "import { createFormatMiddleware, glm45, glm47 } from '@toolglot/parser/formats'\nexport default createFormatMiddleware([glm47, glm45], { reasoning: true })",
    )
    const preset = await measureBundle("export { glmToolMiddleware } from '@toolglot/parser'")
    expect(Math.abs(own.bytes - preset.bytes)).toBeLessThan(200)
  })
})
