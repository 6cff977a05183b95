import { describe, expect, it } from 'vitest'
import { engineProtocol } from '../properties/support/protocols.js'
import { readEvents } from '../support/read-answer.js'

const protocol = engineProtocol('yaml_xml')

const properties = {
  city: { type: 'string' },
  note: { type: 'string' },
  tags: { type: 'array', items: { type: 'string' } },
  place: { type: 'object' },
}
const tools = [
  { type: 'function' as const, name: 'f', inputSchema: { type: 'object', properties } },
]

/** The message of the problem of the call in a text; undefined without one. */
function readMessage(text: string): string | undefined {
  const events = readEvents({ protocol, tools, chunks: [text] })
  return events.find(event => event.type === 'call-end')?.problem?.message
}

describe('the message for arguments that cannot be read', () => {
  it.each([
    ['place: {a: 1}, b', 'unexpected text after the value of `place`: `, b`'],
    ['city: "Paris', 'expected " at the end of the value of `city`'],
    ['city: a\nand so on', 'expected a key and a colon, found `and so on`'],
    ['city: a\ncity: b', 'the argument "city" is given twice'],
    ['city: a\nif x: y', 'expected an argument or indented text, found `if x: y`'],
    ['note:\nname: ci', 'expected an argument or indented text, found `name: ci`'],
    ['note: |\n```py\nx\n```', 'expected the text of `note`, found a fence: ```py'],
    ['city: a\n  tags: b', 'expected a key indented by 0, found `tags: b` indented by 2'],
    ['city: a\n- b', 'expected a key indented by 0, found `- b` indented by 0'],
    ['tags:\n    - a\n  - b', 'expected a list item indented by 4, found `- b` indented by 2'],
    [`tags:\n${' '.repeat(300)}- a`, 'expected at most 256 columns of indentation, found 300'],
    [
      `city: a\n${'long '.repeat(20)}`,
      'expected a key and a colon, found `long long long long long long long long …`',
    ],
  ])('%j: %s', (body, message) => {
    expect(readMessage(`<f>\n${body}\n</f>`)).toBe(message)
  })

  it.each(['city:', 'city: "Par', 'note: |\nx'])('%j at the end of the text is cut', body => {
    expect(readMessage(`<f>\n${body}`)).toBe('the text ended inside the arguments')
  })
})
