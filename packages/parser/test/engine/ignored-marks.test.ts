import { describe, expect, it } from 'vitest'
import { ignoredMarks, turnEndMarks } from '../../src/engine/ignored-marks.js'
import { createToolShapes } from '../../src/protocols/request-scanner.js'
import { allSplits, describeChunks } from '../support/chunks.js'
import { scanPieces } from '../support/read-answer.js'

const tools = createToolShapes([])

// biome-ignore format: a table
describe('marks that are ignored', () => {
  const marks = ignoredMarks(['<sep>', '^<pad>', 'assistant:'])
  it.each([
    // answer                 text
    ['a<sep>b',               'ab'],
    ['<sep>a<sep>',           'a'],
    // Quoted marks are text.
    ['`<sep>`',               '`<sep>`'],
    ['`a` <sep>',             '`a` '],
    // Words, and marks after a `^`, count only at the beginning.
    ['<pad>a',                'a'],
    ['a<pad>',                'a<pad>'],
    ['\nassistant:a',         'a'],
    ['the assistant: a',      'the assistant: a'],
    ['<se',                   '<se'],
  ])('%j: %j', (answer, text) => {
    for (const chunks of allSplits(answer)) {
      const read = scanPieces({ tools, marks }, chunks)
      expect(read, describeChunks(chunks)).toEqual({ pieces: [text], problems: [] })
    }
  })
})

// biome-ignore format: a table
describe('marks at the end of a turn', () => {
  it.each([
    // answer                              text
    ['Hi<|im_end|>',                       'Hi'],
    ['Hi</s>',                             'Hi'],
    ['Hi<end_of_turn>\n',                  'Hi'],
    ['Hi<|eot_id|> <|im_end|>\n',          'Hi'],
    // Text follows.
    ['Hi</s> there',                       'Hi</s> there'],
    ['Hi</s> there</s>',                   'Hi</s> there'],
    // The mark is not complete.
    ['Hi<|im_end|',                        'Hi<|im_end|'],
  ])('%j: %j', (answer, text) => {
    for (const chunks of allSplits(answer)) {
      const read = scanPieces({ tools, marks: turnEndMarks }, chunks)
      expect(read, describeChunks(chunks)).toEqual({ pieces: [text], problems: [] })
    }
  })
})
