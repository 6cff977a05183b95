import { describe, expect, it } from 'vitest'
import { estimateTokens } from '../../src/upstream/estimate-tokens.js'

const user = (text: string) => ({
  prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
})

describe('the estimate of a prompt', () => {
  // The tokens are those of o200k_base, the tokenizer of GPT-4o.
  it.each([
    ['English', 261, 'The proxy adds tool calling to a server that only returns text. '],
    ['Chinese', 400, '人工智能是计算机科学的一个分支,它企图了解智能的实质。'],
    ['Japanese', 440, '人工知能とは、計算という概念とコンピュータという道具を用いる。'],
    ['code', 380, 'export function add(left: number, right: number) {\n  return left + right\n}\n'],
    ['JSON', 280, '{"type":"object","properties":{"city":{"type":"string"}}}'],
  ])('is near what a tokenizer counts: %s', (_, tokens, text) => {
    const estimate = estimateTokens(user(text.repeat(20)))
    expect(estimate / tokens, `${estimate} for ${tokens}`).toBeGreaterThan(1)
    expect(estimate / tokens, `${estimate} for ${tokens}`).toBeLessThan(1.5)
  })

  it('counts each message, each file, and the tools that the server itself gets', () => {
    const tools = [{ type: 'function' as const, name: 'f', inputSchema: {} }]
    const bytes = new TextEncoder().encode(`ab${JSON.stringify(tools)}f{"x":1}"ok"`).length
    const estimate = estimateTokens({
      prompt: [
        { role: 'system', content: 'a' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'b' },
            { type: 'file', mediaType: 'image/png', data: 'A'.repeat(100_000) },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'tool-call', toolCallId: '1', toolName: 'f', input: { x: 1 } }],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: '1',
              toolName: 'f',
              output: { type: 'text', value: 'ok' },
            },
          ],
        },
      ],
      tools,
    })
    expect(estimate).toBe(Math.ceil(bytes / 3.5) + 4 * 4 + 1500)
  })
})
