import { describe, expect, it } from 'vitest'
import {
  findToolName,
  isCallHead,
  matchHead,
  startsObject,
} from '../../src/engine/tags/calls-in-tags.js'

describe('matchHead', () => {
  it.each([
    // text            end    characters before it
    ['path>a', '>', 4],
    ['path', '>', 'wait'],
    ['pa<th>', '>', 'none'],
    ['pa\nth>', '>', 'none'],
    ['\npath\n>', '>', 6],
    ['city</arg_', '</arg_key>', 'wait'],
    ['city</arg_key>', '</arg_key>', 4],
    ['get_time', '', 'wait'],
    ['get_time\n', '', 8],
    ['get_time<arg_key>', '', 8],
    ['\nget_time{', '', 9],
  ])('%j up to %j: %s', (text, end, want) => {
    expect(matchHead(text, end)).toBe(want)
  })
})

describe('isCallHead', () => {
  it.each([
    // text after `<invoke name="`     verdict
    ['get_time', 'wait'],
    ['get_time">', 'wait'],
    ['get_time">\n<parameter', 'yes'],
    ['get_time" id="1"><parameter', 'yes'],
    ['get_time">and so on', 'no'],
    ['a <b> c', 'no'],
  ])('<invoke name="|%j: %s', (text, verdict) => {
    const call = { open: '<invoke name="', nameEnd: '"', headEnd: '>', close: '</invoke>' }
    expect(isCallHead(call, text, ['<parameter'])).toBe(verdict)
  })
})

describe('startsObject', () => {
  it.each([
    ['{', 'wait'],
    ['{ pa', 'wait'],
    ['{"path"', 'yes'],
    ['{}', 'yes'],
    ['{path: 1', 'yes'],
    ['{path name', 'no'],
    ['path', 'no'],
  ])('%s: %s', (text, verdict) => {
    expect(startsObject(text)).toBe(verdict)
  })
})

describe('findToolName', () => {
  it.each([
    // head                        name
    ['\nget_weather ', 'get_weather'],
    ['get_weather\\n', 'get_weather'],
    ['get_weather.get_weather', 'get_weather'],
    ['other.other', 'other.other'],
    ['get_wether', 'get_wether'],
    [' ', ''],
  ])('%j: %s', (head, name) => {
    expect(findToolName(head, new Set(['get_weather']))).toBe(name)
  })
})
