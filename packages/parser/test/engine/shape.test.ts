import { expect, it } from 'vitest'
import {
  ANY_TYPE,
  anyObjectShape,
  anyShape,
  CONTAINER,
  JsonType,
} from '../../src/engine/values/shape.js'

it('has a bit of its own for each JSON type', () => {
  const types = Object.values(JsonType)
  const isOneBit = (type: number) => Number.isInteger(Math.log2(type))
  expect(types.filter(type => !isOneBit(type))).toEqual([])
  expect(new Set(types).size).toBe(types.length)
})

// biome-ignore format: a table
it.each([
  // union        types that it contains
  ['any type',    ANY_TYPE,               ['string', 'number', 'boolean', 'null', 'object', 'array']],
  ['container',   CONTAINER,              ['object', 'array']],
  ['any value',   anyShape.types,         ['string', 'number', 'boolean', 'null', 'object', 'array']],
  ['arguments',   anyObjectShape.types,   ['object']],
])('%s', (_, union, names) => {
  const contained = Object.entries(JsonType).filter(([, type]) => union & type)
  expect(contained.map(([name]) => name)).toEqual(names)
})

it('has properties and items of any type if there is no schema', () => {
  expect(anyObjectShape.property('city')).toBe(anyShape)
  expect(anyShape.property('city').item(0)).toBe(anyShape)
  expect(anyObjectShape.isOpen).toBe(true)
})

it('stays an object when a property of it is known', () => {
  expect(anyObjectShape.narrow('type', '"circle"')).toBe(anyObjectShape)
  expect(anyShape.narrow('type', '"circle"')).toBe(anyShape)
})
