import { expect, it } from 'vitest'
import { createArgumentWriter } from '../../src/engine/argument-writer.js'
import {
  findCellProblem,
  isRule,
  namesKeys,
  putCell,
  splitRow,
} from '../../src/engine/pairs/table.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

// biome-ignore format: a table
it.each([
  // line               cells
  ['A-1|2|',            ['A-1', '2', '']],
  [' A-1 | 2 \n',       ['A-1', '2']],
  ['| A-1 | 2 |',       ['', 'A-1', '2', '']],
  ['"a|b"|1',           ['"a|b"', '1']],
  ["'a|b' |1",          ["'a|b'", '1']],
  ['"a\\"|b"|1',        ['"a\\"|b"', '1']],
  ['"a" b|1',           ['"a" b', '1']],
  ['"a|1',              ['"a', '1']],
])('%j', (line, cells) => {
  expect(splitRow(line)).toEqual(cells)
})

// biome-ignore format: a table
it.each([
  // first line       declared keys     it names keys
  [['sku', 'qty'],    ['sku', 'note'],  true],
  [['A-1', '2'],      ['sku', 'note'],  false],
  [['A-1', '2'],      [],               true],
])('the first line %j with the keys %j: %s', (cells, propertyNames, expected) => {
  expect(namesKeys(cells, propertyNames)).toBe(expected)
})

// biome-ignore format: a table
it.each([
  // line             keys                a rule
  ['---|---:',        ['sku', 'qty'],     true],
  ['--|--',           ['sku', 'qty'],     false],
  ['-|-',             ['', 'sku', ''],    true],
  ['|---|:-:|',       ['', 'sku', ''],    true],
  ['A-1|---',         ['sku', 'qty'],     false],
])('%s below %j is a rule: %s', (line, keys, expected) => {
  expect(isRule(splitRow(line), keys)).toBe(expected)
})

// biome-ignore format: a table
it.each([
  // cells           keys               problem
  [['A-1', '2'],     ['sku', 'qty'],    undefined],
  [['A-1', '2', ''], ['sku', 'qty'],    undefined],
  [['A-1', '2', 'x'],['sku', 'qty'],    'expected a key in the first line of the table for each cell'],
  [['x', 'A-1'],     ['', 'sku'],       'expected a key in the first line of the table for each cell'],
  [['"a'],           undefined,         'expected a closing quote at the end of a cell or an item'],
  [['"a" b'],        undefined,         undefined],
])('the cells %j below %j: %s', (cells, keys, problem) => {
  expect(findCellProblem(cells, keys)).toBe(problem)
})

// biome-ignore format: a table
it.each([
  // cell         type in the schema   JSON
  ['5',           'integer',           '5'],
  ['5',           'string',            '"5"'],
  ['"5"',         'string',            '"5"'],
  ['"a\\n"',      'string',            '"a\\n"'],
  ['"a" b',       'string',            '"\\"a\\" b"'],
  ['a, b',        'array',             '["a","b"]'],
  ['["a"]',       'array',             '["a"]'],
])('the cell %s of type %s: %s', (cell, type, json) => {
  const shape = shapeOfSchema({ type })
  const writer = createArgumentWriter(shape, 1024)
  putCell(cell, shape, writer.put)
  expect(writer.take()).toBe(json)
})
