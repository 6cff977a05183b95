import { describe, expect, it } from 'vitest'
import { orderMessages } from '../../src/upstream/order-messages.js'

interface Message {
  readonly role: string
  readonly [field: string]: unknown
}

const say =
  (role: string) =>
  (content: unknown, more: object = {}): Message => ({ role, content, ...more })
const system = say('system')
const developer = say('developer')
const user = say('user')
const assistant = say('assistant')
const tool = say('tool')
const text = (value: string) => ({ type: 'text', text: value })
const image = { type: 'image_url', image_url: { url: 'https://x.test/a.png', detail: 'low' } }
const file = {
  type: 'file',
  file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,AA' },
}
const begins = user('[The conversation begins with the assistant.]')

describe('the messages for a strict server', () => {
  it.each<[string, readonly Message[], readonly Message[]]>([
    ['one system message stays', [system('a'), user('b')], [system('a'), user('b')]],
    ['a developer is a system', [developer('a'), user('b')], [system('a'), user('b')]],
    [
      'the first ones are joined',
      [system('a'), developer('b'), user('c')],
      [system('a\n\nb'), user('c')],
    ],
    ['a later one is text of the user', [user('a'), system('b'), user('c')], [user('a\n\nb\n\nc')]],
    [
      'a later one between two answers',
      [user('a'), assistant('b'), system('c'), assistant('d')],
      [user('a'), assistant('b'), user('c'), assistant('d')],
    ],
    ['a system message alone is the user', [system('a')], [user('a')]],
    ['two system messages alone are one user', [system('a'), system('b')], [user('a\n\nb')]],
    [
      'the assistant may not begin',
      [assistant('a'), user('b')],
      [begins, assistant('a'), user('b')],
    ],
    [
      'the assistant may not begin after the system either',
      [assistant('a'), system('s'), user('b')],
      [system('s'), begins, assistant('a'), user('b')],
    ],
    [
      'an image stays where it is',
      [user([text('a'), image]), user('b'), user([text('c'), file])],
      [user([text('a'), image, text('b\n\nc'), file])],
    ],
    [
      'an image of a system message in the middle stays too',
      [user('a'), system([text('b'), image])],
      [user([text('a\n\nb'), image])],
    ],
    [
      'a text with other fields stays apart',
      [user([{ ...text('a'), cache_control: { type: 'ephemeral' } }]), user('b')],
      [user([{ ...text('a'), cache_control: { type: 'ephemeral' } }, text('b')])],
    ],
    ['an empty text leaves no blank line', [user(''), user('a')], [user('a')]],
    ['two empty texts are one', [user(''), user('')], [user('')]],
    [
      'one name is kept',
      [user('a', { name: 'Ann' }), user('b', { name: 'Ann' })],
      [user('a\n\nb', { name: 'Ann' })],
    ],
    [
      'two names are not',
      [user('a', { name: 'Ann' }), user('b', { name: 'Bob' })],
      [user('a\n\nb')],
    ],
    [
      'calls and reasoning of two answers are kept',
      [
        user('q'),
        assistant('a', { reasoning_content: 'r' }),
        assistant(null, { tool_calls: [{ id: '1' }] }),
        assistant(null, { tool_calls: [{ id: '2' }], reasoning_content: 's' }),
      ],
      [
        user('q'),
        assistant('a', { tool_calls: [{ id: '1' }, { id: '2' }], reasoning_content: 'r\n\ns' }),
      ],
    ],
    [
      'results stay messages of their own',
      [user('q'), assistant(null), tool('1'), tool('2'), assistant('a')],
      [user('q'), assistant(null), tool('1'), tool('2'), assistant('a')],
    ],
  ])('%s', (_, given, wanted) => {
    // As the server sees it: a field that is undefined is not sent.
    expect(JSON.parse(JSON.stringify(orderMessages(given)))).toEqual(wanted)
  })

  it('are the same objects where nothing is wrong', () => {
    const given = [system('a'), user([text('b'), image]), assistant('c'), user('d')]
    const ordered = orderMessages(given)
    expect(Array.isArray(ordered) && ordered.every((each, i) => each === given[i])).toBe(true)
  })

  it.each([[undefined], ['hello'], [[5]], [{}]])('%j is returned as it is', value => {
    expect(orderMessages(value)).toBe(value)
  })

  it('of a long run are joined in linear time', () => {
    let reads = 0
    const counted = (i: number): Message => ({
      role: 'user',
      get content() {
        reads++
        return `line ${i}`
      },
    })
    const ordered = orderMessages(Array.from({ length: 150_000 }, (_, i) => counted(i)))
    expect(Array.isArray(ordered) && ordered.length).toBe(1)
    // Each message is read twice: by its own text, and by the copy of its fields.
    expect(reads).toBeLessThanOrEqual(300_000)
  })
})
