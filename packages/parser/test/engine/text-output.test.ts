import { describe, expect, it } from 'vitest'
import type { ReasoningOptions } from '../../src/engine/reasoning-marks.js'
import { createTextOutput } from '../../src/engine/text-output.js'
import { mergeEvents } from '../support/read-answer.js'

/** What the scanner does: a text, or one of these steps. */
const steps = {
  call: '<call>',
  open: '<think>',
  close: '</think>',
  markup: '<sep>',
  mention: 'mention',
}

/** Does the steps of an answer in order, and returns what was emitted, as one text each. */
function write(answer: readonly string[], mode: ReasoningOptions['mode']): string[] {
  const events: Parameters<Parameters<typeof createTextOutput>[1]>[0][] = []
  const options = { marks: [], mode, startsInReasoning: false, callsInReasoningCount: false }
  const output = createTextOutput(options, event => events.push(event))
  const mark = { isKept: mode !== 'parts', isMentionable: true }
  for (const step of answer) {
    if (step === steps.call) output.beforeCall()
    else if (step === steps.open)
      output.switchReasoning({ ...mark, text: step, direction: 'in' }, 0)
    else if (step === steps.mention)
      output.openUnclosed({ ...mark, text: '<think>', direction: 'in' }, 0)
    else if (step === steps.close)
      output.switchReasoning({ ...mark, text: step, direction: 'out' }, 0)
    else if (step === steps.markup) output.emitMarkup(step, 0)
    else output.text(step)
  }
  output.end()
  return mergeEvents(events).flatMap(event => {
    if (event.type === 'text') return [event.text]
    if (event.type === 'reasoning') return [`(${event.text})`]
    return event.type === 'markup' && event.raw === steps.markup ? [] : [event.type]
  })
}

const { call, open, close, markup, mention } = steps

// biome-ignore format: a table
describe('whitespace around calls (decision 3)', () => {
  it.each<[string[], string[]]>([
    // answer                      text
    [['Hi'],                       ['Hi']],
    [[' \n', 'Hi', ' \n'],         [' \nHi \n']],
    [['\n\n', call],               []],
    [['Hi\n\n', call],             ['Hi\n\n']],
    [[call, '\n', call],           []],
    [[call, '\n', 'Hi'],           ['\nHi']],
    [[call, '\n'],                 []],
    // An answer without a call keeps all of its whitespace.
    [[' \n'],                      [' \n']],
    [[''],                         []],
  ])('%j: %j', (answer, texts) => {
    expect(write(answer, 'text')).toEqual(texts)
  })

  it('is text if there is too much of it', () => {
    const space = ' '.repeat(4097)
    expect(write([call, space, call], 'text')).toEqual([space])
    expect(write([call, space.slice(1), call], 'text')).toEqual([])
  })
})

// biome-ignore format: a table
describe('reasoning that is emitted as such', () => {
  it.each<[string[], string[]]>([
    // answer                                    text, and reasoning in parentheses
    [[open, '\nHm.\n', close, '\n\nHi'],         ['markup', '(Hm.)', 'markup', 'Hi']],
    [[open, 'Hm.', ' So. ', close],              ['markup', '(Hm. So.)', 'markup']],
    [[open, 'Hm.', close, '\n', call],           ['markup', '(Hm.)', 'markup']],
    [['Hi ', open, 'Hm.', close, ' so'],         ['Hi ', 'markup', '(Hm.)', 'markup', 'so']],
    // Whitespace after reasoning keeps two words apart.
    [['Hi.', open, 'Hm.', close, '\n\nSo'],      ['Hi.', 'markup', '(Hm.)', 'markup', '\n\nSo']],
    [['Hi.', open, 'Hm.', close, '\n'],          ['Hi.', 'markup', '(Hm.)', 'markup']],
    // An open mark that is never closed.
    [['Use ', mention, ' now'],                  ['Use <think> now']],
    [['Use ', mention, ' and ', close, ' now'],  ['Use <think> and </think> now']],
    [[open, close, 'Hi'],                        ['markup', 'markup', 'Hi']],
    // Inside reasoning its own open mark is a word.
    [[open, 'so ', open, ' it', close],          ['markup', '(so <think> it)', 'markup']],
    [[open, open, 'so', close],                  ['markup', 'markup', '(so)', 'markup']],
    [['a', markup, 'b'],                         ['a', 'b']],
  ])('%j: %j', (answer, texts) => {
    expect(write(answer, 'parts')).toEqual(texts)
  })
})

// biome-ignore format: a table
describe('reasoning that is text', () => {
  it.each<[string[], string[]]>([
    [[open, '\nHm.\n', close, '\n\nHi'],   ['<think>\nHm.\n</think>\n\nHi']],
    [[open, 'Hm.', close, '\n', call],     ['<think>Hm.</think>\n']],
  ])('%j: %j', (answer, texts) => {
    expect(write(answer, 'text')).toEqual(texts)
  })
})
