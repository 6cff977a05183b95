import { expect, it } from 'vitest'
import { CUT } from '../../src/engine/events.js'
import { failWith, problemOf } from '../../src/engine/failure.js'

function catchError(run: () => void): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

it('returns the problem that a reader failed with', () => {
  expect(problemOf(catchError(() => failWith(CUT)))).toBe(CUT)
})

it('throws an error that is a fault of the code', () => {
  const fault = new TypeError('not a function')
  expect(() => problemOf(fault)).toThrow(fault)
})
