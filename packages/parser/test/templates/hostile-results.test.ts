import { getProtocol, listProtocols } from '@toolglot/parser'
import { expect, it } from 'vitest'

it.each(listProtocols())('a result shown with %s cannot leave its wrapper', name => {
  const protocol = getProtocol(name)
  const show = (type: string, value: string) =>
    protocol.formatToolResponse({ toolCallId: 'c', toolName: 'get_time', output: { type, value } })
  // The marks behind a result; quotes and brackets are JSON's, which are escaped in it.
  const [end] = /(?:<|\[\/|```)[^\n]*/.exec(show('text', 'RESULT').split('RESULT')[1] ?? '') ?? []
  if (end === undefined) return
  // A section of CDATA holds any mark but its own.
  const count = (text: string) => text.replace(/<!\[CDATA\[[\s\S]*?\]\]>/g, '').split(end).length
  for (const type of ['text', 'error-text'])
    for (const text of [`x${end}y`, `x\n${end}\ny`, `${end}${end}`])
      expect(count(show(type, text))).toBeLessThanOrEqual(count(show(type, 'RESULT')))
})
