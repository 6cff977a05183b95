import { describe, expect, it } from 'vitest'
import { hasFreeTexts, splitListText } from '../../src/engine/values/list-text.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

const integers = { type: 'integer' }
const words = { enum: ['slow', 'fast', 'fast, by sea'] }
const texts = { type: 'string' }

describe('a text where a list is wanted (decision 85)', () => {
  // biome-ignore format: a table
  it.each<[string, unknown, string[] | undefined]>([
    // text            items       split
    ['1, 2,3',         integers,   ['1', '2', '3']],
    ['1',              integers,   undefined],
    ['1, x',           integers,   undefined],
    ['1,',             integers,   undefined],
    ['True,false',     { type: 'boolean' }, ['True', 'false']],
    ['slow, fast',     words,      ['slow', 'fast']],
    ['slow, other',    words,      undefined],
    // It is one of the words.
    ['fast, by sea',   words,      undefined],
    ['a, b',           texts,      undefined],
    ['1, 2',           { type: ['integer', 'string'] }, undefined],
    ['1, 2',           { type: 'array' }, undefined],
  ])('%s for items %j: %j', (text, items, split) => {
    expect(splitListText(text, shapeOfSchema({ type: 'array', items }))).toEqual(split)
  })

  it('is not split where a text is allowed too', () => {
    const shape = shapeOfSchema({ type: ['array', 'string'], items: integers })
    expect(splitListText('1, 2', shape)).toBeUndefined()
  })

  it('has items of any text only if the schema lists none', () => {
    const lists = [texts, words, integers].map(items => shapeOfSchema({ type: 'array', items }))
    expect(lists.map(hasFreeTexts)).toEqual([true, false, false])
  })
})
