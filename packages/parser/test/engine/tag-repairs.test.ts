import { describe, expect, it } from 'vitest'
import {
  createValueEdges,
  findValueRepairs,
  judgeAfterClose,
  watchClose,
  watchPiece,
} from '../../src/engine/tags/tag-repairs.js'
import { isOneEditAway } from '../../src/engine/text/edit-distance.js'

describe('isOneEditAway', () => {
  it.each([
    ['</parameter>', '</parameter>', false],
    ['</paramter>', '</parameter>', true],
    ['</parrameter>', '</parameter>', true],
    ['</praameter>', '</parameter>', true],
    ['<</parameter>', '</parameter>', true],
    ['</parameter', '</parameter>', true],
    // A letter in the place of another: `</td>` is not a damaged `</to>`.
    ['</td>', '</to>', false],
    ['</param>', '</parameter>', false],
    ['', 'a', true],
    ['', '', false],
  ])('%s and %s: %s', (left, right, isNear) => {
    expect(isOneEditAway(left, right)).toBe(isNear)
    expect(isOneEditAway(right, left)).toBe(isNear)
  })
})

/** Reads a value in pieces; a piece that is the close mark was read as text. */
function readValue(pieces: readonly string[], tag?: string) {
  const close = tag ? '</arg_value>' : '</parameter>'
  const openTags = () => (tag ? ['<arg_key>days</arg_key>'] : ['<parameter=days>'])
  const edges = createValueEdges(close, tag ? '<arg_value' : '<parameter')
  for (const piece of pieces) {
    if (piece === close) watchClose(edges, openTags)
    watchPiece(edges, piece)
  }
  judgeAfterClose(edges, openTags)
  return findValueRepairs(edges, tag).join(' ')
}

describe('the repairs of a raw value', () => {
  it.each([
    // pieces                                              tag            repairs
    [['Berlin'], '', ''],
    [['Berlin\n</paramter>\n'], '', 'markup-at-edge'],
    [['Berlin\n</para', 'mter>'], '', 'markup-at-edge'],
    [['Berlin</paramter> is a tag'], '', ''],
    [['<parameters>a</parameters>'], '', ''],
    [['<para', 'meters>a</parameters>'], '', ''],
    [['use <b>it</b>'], '', ''],
    [['write ', '</parameter>', ' here'], '', 'close-in-text'],
    [['Berlin\n', '</parameter>', '\nparameter=days>\n3\n'], '', 'argument-in-value'],
    [['Berlin\n', '</parameter>', '\n<para', 'metre=days>\n3\n'], '', 'argument-in-value'],
    [['Berlin\n', '</parameter>', '\n<parameter=dayss>\n3'], '', 'argument-in-value'],
    [['Berlin\n', '</parameter>', '\nthen parameter=days>\n3'], '', 'close-in-text'],
    [['<parameter name="a">1', '</parameter>', '\n<parameter name="days">2'], '', ''],
    [['Berlin</parameter<', '>parameter=days>3'], '', 'argument-in-value'],
    [['Berlin<'], '', 'markup-at-edge'],
    [['a <<'], '', ''],
    [['a <'], '', ''],
    [['<arg_valeu>Berlin'], '<arg_value>', 'markup-at-edge'],
    [['Berlin', '</arg_value>', '<arg_kye>days</arg_key>'], '<arg_value>', 'argument-in-value'],
  ])('%j after %s: %s', (pieces, tag, repairs) => {
    expect(readValue(pieces, tag || undefined)).toBe(repairs)
  })
})
