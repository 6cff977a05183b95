import { describe, expect, it } from 'vitest'
import { fieldsOf } from '../../src/dialects/fields.js'

describe('a field of another type', () => {
  it.each([
    ['Hello', 'string "Hello"'],
    ['a'.repeat(500), `string "${'a'.repeat(40)}…"`],
    [7, 'number 7'],
    [true, 'boolean true'],
    [{ a: 1 }, 'an object'],
  ])('is named by its value (%#)', (value, name) => {
    expect(() => fieldsOf({ messages: value }).list('messages')).toThrow(
      `messages: must be a list, not ${name}.`,
    )
  })

  it('is named by its type where it is a list or missing', () => {
    expect(() => fieldsOf({ model: ['m'] }).string('model')).toThrow('not a list.')
    expect(() => fieldsOf([undefined][0], 'tools[0]')).toThrow('an object, not undefined.')
    expect(() => fieldsOf(null)).toThrow('body: must be an object, not null.')
  })
})
