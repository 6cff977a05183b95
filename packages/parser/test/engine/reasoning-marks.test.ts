import { describe, expect, it } from 'vitest'
import {
  createReasoningMarks,
  type ReasoningMark,
  type ReasoningMarks,
  type ReasoningOptions,
} from '../../src/engine/reasoning-marks.js'

type Mode = ReasoningOptions['mode']

const tags: ReasoningMarks = { opens: ['<think>'], closes: ['</think>'] }
const tokens: ReasoningMarks = { opens: ['<|think|>'], closes: ['<|end|>'] }
const message: ReasoningMarks = { ...tokens, isMessage: true }

const create = (marks: ReasoningMarks, mode: Mode) => createReasoningMarks({ marks: [marks], mode })

const textsOf = (marks: readonly ReasoningMark[]) => marks.map(mark => mark.text)
const emptyTags = ['<think></think>', '<think>\n</think>', '<think>\n\n</think>']

// biome-ignore format: a table
it.each<[string, ReasoningMarks, Mode, string[], string[]]>([
  // marks     rules      mode      outside reasoning                        inside reasoning
  ['tags',     tags,      'parts',  ['<think>', '</think>'],                 ['<think>', '</think>']],
  // Empty reasoning is left out of the text, whoever opened it.
  ['tags',     tags,      'text',   ['<think>', '</think>', ...emptyTags],   ['<think>', '</think>']],
  // Other middleware reads the tags, so none is removed.
  ['tags',     tags,      'raw',    ['<think>'],                             ['<think>', '</think>']],
  ['tokens',   tokens,    'parts',  ['<|think|>', '<|end|>'],                ['<|think|>', '<|end|>']],
  ['tokens',   tokens,    'text',   ['<|think|>', '<|end|>'],                ['<|think|>', '<|end|>']],
  // What ends a message ends others too, so it is not a mark of reasoning outside.
  ['message',  message,   'parts',  ['<|think|>'],                           ['<|think|>', '<|end|>']],
  ['message',  message,   'text',   [],                                      []],
])('the marks of reasoning: %s', (_, marks, mode, outside, inside) => {
  const created = create(marks, mode)
  expect(textsOf(created.outside), `outside, mode ${mode}`).toEqual(outside)
  expect(textsOf(created.inside), `inside, mode ${mode}`).toEqual(inside)
})

interface Rules {
  readonly onlyAtLineStart: boolean
  readonly notInInlineCode: boolean
}
const anywhere: Rules = { onlyAtLineStart: false, notInInlineCode: false }
const notInCode: Rules = { onlyAtLineStart: false, notInInlineCode: true }
const both: Rules = { onlyAtLineStart: true, notInInlineCode: true }

// biome-ignore format: a table
describe('where a mark of reasoning counts', () => {
  it.each<[string, ReasoningMarks, 'outside' | 'inside', Rules]>([
    // mark        of the format        place       rules
    ['<think>',    tags,                'outside',  anywhere],
    ['<|think|>',  tokens,              'outside',  anywhere],
    ['</think>',   tags,                'inside',   anywhere],
    ['<|end|>',    tokens,              'inside',   anywhere],
    // A close mark without an open one.
    ['</think>',   tags,                'outside',  notInCode],
    ['<|end|>',    tokens,              'outside',  notInCode],
  ])('%s of %o, %s', (text, marks, place, rules) => {
    const mark = create(marks, 'parts')[place].find(each => each.text === text)
    expect(mark).toMatchObject(rules)
  })

  it.each<[string, ReasoningMarks, 'outside' | 'inside', Rules]>([
    // mark        of another format    place       rules
    ['<think>',    tags,                'outside',  both],
    ['<|think|>',  tokens,              'outside',  both],
    ['</think>',   tags,                'inside',   notInCode],
    ['</think>',   tags,                'outside',  both],
    ['<|end|>',    tokens,              'outside',  notInCode],
  ])('%s of %o, a format that was not asked for, %s', (text, marks, place, rules) => {
    const foreign = create({ ...marks, isForeign: true }, 'parts')
    const mark = foreign[place].find(each => each.text === text)
    expect(mark).toMatchObject(rules)
  })
})

// biome-ignore format: a table
it.each<[string, ReasoningMarks, boolean]>([
  // mark                   of the format                                  a text may mention it
  ['<think>',               tags,                                           true],
  ['[THINK]',               { opens: ['[THINK]'], closes: ['[/THINK]'] },   true],
  ['Here is why:',          { opens: ['Here is why:'], closes: ['So:'] },   true],
  ['<|think|>',             tokens,                                         false],
  // Inside a line a mark of another format is text, so nothing has to be decided.
  ['<think>',               { ...tags, isForeign: true },                   false],
])('whether inside a line %s of %o needs a close mark (decision 80)', (text, marks, isMentionable) => {
  const mark = create(marks, 'parts').outside.find(each => each.text === text)
  expect(mark).toMatchObject({ isMentionable })
})

it('does not end at a close mark in a code block, unless the reasoning is open', () => {
  const { outside, inside } = create(tags, 'parts')
  const close = (marks: readonly ReasoningMark[]) => marks.find(mark => mark.direction === 'out')
  expect(close(outside)).toMatchObject({ notInCodeBlock: true })
  expect(close(inside)).toMatchObject({ notInCodeBlock: false })
})

// biome-ignore format: a table
it.each<[string, ReasoningMarks, Mode, boolean]>([
  // mark        marks    mode      kept in the text
  ['<think>',    tags,    'parts',  false],
  ['<think>',    tags,    'text',   true],
  ['</think>',   tags,    'text',   true],
  ['</think>',   tags,    'raw',    true],
  ['<|think|>',  tokens,  'text',   false],
  ['<|end|>',    tokens,  'raw',    false],
])('%s of %o in the mode %s is kept: %s', (text, marks, mode, isKept) => {
  expect(create(marks, mode).inside.find(mark => mark.text === text)).toMatchObject({ isKept })
})

it('drops a close mark only at the start of a text', () => {
  const strays = create(tags, 'text').outside.filter(mark => mark.direction === 'out')
  expect(strays).toHaveLength(4)
  for (const stray of strays) expect(stray).toMatchObject({ onlyAtTextStart: true, isKept: false })
})
