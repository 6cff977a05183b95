import { describe, expect, it } from 'vitest'
import { createProgress, formatDuration } from '../../src/live/progress.js'

function createOutput(isTTY: boolean, columns = 80) {
  const pieces: string[] = []
  return { isTTY, columns, write: (text: string) => pieces.push(text), pieces }
}

describe('the progress', () => {
  it('is one line on a terminal: done, pass rate, time left', () => {
    const output = createOutput(true)
    let now = 0
    const progress = createProgress(output, 10, 2, () => now)
    now = 3000
    progress.advance('pass')
    progress.advance('fail')
    progress.advance('infrastructure')
    expect(output.pieces.at(-1)).toContain('5/10, 50 % pass, 1 could not be made, 5 s left')
    expect(output.pieces.join('')).not.toContain('\n')
    progress.end()
    expect(output.pieces.at(-1)).toBe('\r\u001b[K')
  })

  it('never wraps on a narrow terminal', () => {
    const output = createOutput(true, 30)
    createProgress(output, 10, 0).advance('pass')
    for (const piece of output.pieces)
      expect(piece.replace('\r\u001b[K', '').length).toBeLessThan(30)
  })

  it('is a line now and then in a pipe, and one at the end', () => {
    const output = createOutput(false)
    let now = 0
    const progress = createProgress(output, 100, 0, () => now)
    for (let i = 0; i < 100; i++) {
      now += 1000
      progress.advance('pass')
    }
    progress.end()
    expect(output.pieces.length).toBeGreaterThan(3)
    expect(output.pieces.length).toBeLessThan(10)
    expect(output.pieces.at(-1)).toBe('100/100, 100 % pass, 0 s left\n')
    expect(output.pieces.join('')).not.toContain('\u001b')
  })

  it('writes durations in words', () => {
    expect(formatDuration(59_000)).toBe('59 s')
    expect(formatDuration(125_000)).toBe('2 min 5 s')
    expect(formatDuration(7_380_000)).toBe('2 h 3 min')
  })
})
