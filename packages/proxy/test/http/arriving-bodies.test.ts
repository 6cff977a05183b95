import { describe, expect, it } from 'vitest'
import { createArrivingBodies } from '../../src/http/arriving-bodies.js'

const KB = 1024

/** Bodies that may have `maxKb` together, and the names of those that were given up. */
function start(maxKb: number) {
  const givenUp: string[] = []
  const limit = { kb: maxKb }
  const bodies = createArrivingBodies(() => limit.kb * KB)
  const open = (name: string, kb = 0) => {
    const body = bodies.open(reason => givenUp.push(`${name}: ${reason.status} ${reason.code}`))
    body.hold(kb * KB)
    return body
  }
  return { givenUp, limit, open }
}

describe('bodies that are arriving', () => {
  it('may have the bound together', () => {
    const { givenUp, open } = start(1000)
    open('a', 500)
    open('b', 500)
    expect(givenUp).toEqual([])
  })

  it('are given up beyond it, the first one first, until the others fit', () => {
    const { givenUp, open } = start(1000)
    open('a', 100)
    open('b', 800)
    open('c', 100).hold(600 * KB)
    expect(givenUp).toEqual(['a: 503 too_many_bodies', 'b: 503 too_many_bodies'])
  })

  it('count as 64 KB each, even if they are empty', () => {
    const { givenUp, open } = start(128)
    open('a')
    open('b', 64)
    open('c')
    expect(givenUp).toEqual(['a: 503 too_many_bodies'])
  })

  it('do not count when they have arrived, or were given up', () => {
    const { givenUp, open } = start(1000)
    const first = open('a', 900)
    first.close()
    first.close()
    first.hold(500 * KB)
    open('b', 900)
    const third = open('c', 900)
    expect(givenUp).toEqual(['b: 503 too_many_bodies'])
    third.close()
    open('d', 1000)
    expect(givenUp).toHaveLength(1)
  })

  it('are young again when they were sent on', () => {
    const { givenUp, open } = start(1000)
    const upload = open('upload', 400)
    open('slow', 400)
    upload.forget()
    upload.hold(400 * KB)
    open('quick', 400)
    expect(givenUp).toEqual(['slow: 503 too_many_bodies'])
  })

  it('follow a bound that a reload has changed', () => {
    const { givenUp, limit, open } = start(1000)
    open('a', 900)
    limit.kb = 800
    open('b')
    expect(givenUp).toEqual(['a: 503 too_many_bodies'])
  })

  it('do not remain if one alone is beyond the bound', () => {
    const { givenUp, open } = start(1000)
    open('a', 2000)
    expect(givenUp).toEqual(['a: 503 too_many_bodies'])
  })
})
