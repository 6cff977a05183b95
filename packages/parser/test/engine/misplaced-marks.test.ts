import { describe, expect, it } from 'vitest'
import {
  endsWithValueClose,
  matchOtherValueTag,
  startsWithCallAsKey,
} from '../../src/engine/tags/misplaced-marks.js'

const marks = {
  open: '<arg_key>',
  keyEnd: '</arg_key>',
  close: '</arg_value>',
  valueTag: '<arg_value>',
  callOpen: '<tool_call>',
}

// biome-ignore format: tables
describe('a mark in the place of another one', () => {
  it.each([
    ['<tool_call>city</arg_key>',   'yes'],
    ['<tool_call> city </arg_key>', 'yes'],
    ['<tool_call>other</arg_key>',  'no'],
    ['<tool_call>city<arg_key>',    'no'],
    ['<tool_call>get_time',         'no'],
    ['<arg_key>city</arg_key>',     'no'],
    ['<tool_call>ci',               'wait'],
    ['<tool_call>city</arg',        'wait'],
    ['<tool',                       'wait'],
  ])('a call for a key: |%s', (text, verdict) => {
    expect(startsWithCallAsKey(text, marks, ['city', 'days'])).toBe(verdict)
  })

  it.each([
    ['city</arg_value><arg_value>',   'yes'],
    ['city</arg_value>\n<arg_value>', 'yes'],
    ['city</arg_key><arg_value>',     'no'],
    ['city</arg_value><arg_key>',     'no'],
    ['city</arg_value>',              'wait'],
    ['city',                          'wait'],
  ])('the end of a value for that of a key: |%s', (text, verdict) => {
    expect(endsWithValueClose(text, marks)).toBe(verdict)
  })

  it.each([
    ['<tool_call>Paris</arg_value>',        11],
    ['<arg_key>Paris</arg_value>',          9],
    ['<arg_value type="string">Paris',      25],
    ['<arg_key>days</arg_key>',             0],
    ['<tool_call>get_time</tool_call>',     0],
    ['<arg_value>Paris</arg_value>',        0],
    ['Paris</arg_value>',                   0],
    ['<arg_key>Par',                        'wait'],
    ['<arg_value type="str',                'wait'],
  ])('another mark for that of a value: |%s', (text, length) => {
    expect(matchOtherValueTag(text, marks)).toBe(length)
  })
})
