import { describe, expect, it } from 'vitest'
import { findDeclaredKey, hasSeveralWords } from '../../src/engine/values/declared-key.js'
import { shapeOfSchema } from '../../src/schema/shape-of-schema.js'

const shape = shapeOfSchema({
  properties: { toPort: {}, max_days: {}, note: {}, 'user-id': {}, userId: {} },
  required: ['toPort', 'max_days', 'user-id'],
})

describe('the declared key that a key means (decision 85)', () => {
  // biome-ignore format: a table
  it.each([
    // key          given      declared
    ['to_port',     '',        'toPort'],
    ['to-port',     '',        'toPort'],
    ['ToPort',      '',        'toPort'],
    ['maxDays',     '',        'max_days'],
    ['toPort',      '',        'toPort'],
    // It was given already.
    ['to_port',     'toPort',  'to_port'],
    // It is not required.
    ['Note',        '',        'Note'],
    // Two keys fit.
    ['user_id',     '',        'user_id'],
    ['port',        '',        'port'],
    ['__proto__',   '',        '__proto__'],
  ])('%s after %j: %s', (key, given, declared) => {
    expect(findDeclaredKey(shape, key, new Set([given]))).toBe(declared)
  })

  it('may be clear without a quote or a comma before it', () => {
    expect(['to_port', 'toPort', 'to-port', 'Port', '_port', 'PORT'].map(hasSeveralWords)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })
})
