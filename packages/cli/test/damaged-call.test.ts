import { getProtocol, listProtocols } from '@toolglot/parser'
import { describe, expect, it } from 'vitest'
import { writeDamagedCall } from '../src/demo/damaged-call.js'
import { createDemoTools } from '../src/demo/demo-tools.js'
import { reminderCall } from '../src/demo/script.js'

const { declarations } = createDemoTools()

describe('a damaged call', () => {
  it.each(listProtocols())('is not the call that was meant, in %s', name => {
    const protocol = getProtocol(name)
    const text = writeDamagedCall(protocol, reminderCall, declarations)
    const calls = protocol.parseGeneratedText({ text, tools: declarations })
    expect(calls).toHaveLength(1)
    expect(calls).not.toMatchObject([{ input: JSON.stringify(reminderCall.input) }])
  })

  it('has a remark between its arguments if that breaks it', () => {
    expect(writeDamagedCall(getProtocol('morph_xml'), reminderCall, declarations)).toBe(
      '<set_reminder>\n<title>Pack the umbrella</title> (or in 45?)\n<minutes>30</minutes>\n</set_reminder>',
    )
  })

  it('lacks an argument if a remark does not break it', () => {
    const hermes = getProtocol('hermes')
    const forgiving = { ...hermes, parseGeneratedText: () => [] }
    expect(writeDamagedCall(forgiving, reminderCall, declarations)).toBe(
      hermes.formatToolCall({
        toolCallId: '',
        toolName: 'set_reminder',
        input: { title: 'Pack the umbrella' },
      }),
    )
  })
})
