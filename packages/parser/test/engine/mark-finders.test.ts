import { describe, expect, it } from 'vitest'
import { createMarkFinders, type MarkFinders } from '../../src/engine/mark-finders.js'
import { createLineContext } from '../../src/engine/text/line-context.js'
import { callMarks } from '../support/reasoning-search.js'

const finders = createMarkFinders([...callMarks, weakMark('{'), ignoredMark('<|im_end|>')], {
  marks: [{ opens: ['<think>'], closes: ['</think>', '</thought>'] }],
  mode: 'parts',
})

function weakMark(text: string) {
  return { ...ignoredMark(text), opensNoCall: false, strength: 'weak' as const }
}

function ignoredMark(text: string) {
  return {
    text,
    opensNoCall: true,
    *read() {
      return yield* []
    },
  }
}

/** All marks that a finder finds in a text. */
function findAll(
  finder: Exclude<keyof MarkFinders, 'reasoningEnds' | 'isMark'>,
  text: string,
): string[] {
  const context = createLineContext()
  const found: string[] = []
  for (let from = 0; ; ) {
    const { at, mark } = finders[finder](text, from, true, context)
    if (!mark) return found
    found.push(mark.text)
    from = at + mark.text.length
  }
}

const all = '<think> <call> { <|im_end|> </think>\n'

// biome-ignore format: a table
describe('the marks that the scanner looks for', () => {
  it.each<[Exclude<keyof MarkFinders, 'reasoningEnds' | 'isMark'>, string, string[]]>([
    // where         text           marks
    ['inText',       all,           ['<think>', '<call>', '{', '<|im_end|>', '</think>']],
    // A brace is not held, and a mark without meaning is reasoning.
    ['inReasoning',  all,           ['<think>', '<call>', '</think>']],
    ['inUnclosed',   all,           ['<think>', '<call>', '{', '<|im_end|>', '</think>']],
    ['reasoningEnd', all,           ['<call>', '{', '</think>', '\n']],
    // In code.
    ['inReasoning',  '`</think>`',  ['</think>']],
    ['inUnclosed',   '`</think>`',  []],
    ['inText',       '`</think>`',  []],
  ])('%s, in %j: %j', (finder, text, marks) => {
    expect(findAll(finder, text)).toEqual(marks)
  })

  it('have the close marks of reasoning', () => {
    expect(finders.reasoningEnds).toEqual(['</think>', '</thought>'])
  })
})
