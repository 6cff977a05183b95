import { describe, expect, it } from 'vitest'
import { inputItemId, newResponseId, outputItemId, stemOf } from '../../src/store/response-ids.js'

describe('the ids of a response and its items', () => {
  it('share their stem, and differ', () => {
    const id = newResponseId()
    const ids = [
      id,
      outputItemId(id, 'msg_', 0),
      outputItemId(id, 'msg_', 36),
      inputItemId(id, 'msg_', 0),
      inputItemId(id, 'msg_', 36),
    ]
    expect(new Set(ids).size).toBe(5)
    expect(new Set(ids.map(stemOf))).toEqual(new Set([id.slice(5, 25)]))
    for (const each of ids) expect(each).toMatch(/^[a-z]+_[A-Za-z0-9]{24}$/)
  })

  it.each([
    '',
    'resp_1',
    '__proto__',
    'resp_../../../../etc/passwd1',
    'resp_aaaaaaaaaaaaaaaaaaaaaaaa:',
    'resp_aaaaaaaaaaaaaaaaaaaaaaaa\n',
    'resp_0f09a275409f8c00aa69824731e89b31bd5725218b0e9fb98',
    `resp_${'a'.repeat(25)}`,
  ])('are not found in %s', id => {
    expect(stemOf(id)).toBeUndefined()
  })
})
