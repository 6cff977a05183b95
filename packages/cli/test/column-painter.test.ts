import { describe, expect, it } from 'vitest'
import { createColumnPainter } from '../src/demo/column-painter.js'
import { createFakeTerminal } from './fake-terminal.js'

const plain = (text: string) => text

function paint(rows = 20) {
  const terminal = createFakeTerminal({ columns: 24, rows })
  const painter = createColumnPainter({ write: terminal.write, columns: 24, rows, separator: '|' })
  return { terminal, painter }
}

describe('the column painter', () => {
  it('wraps both columns', () => {
    const { terminal, painter } = paint()
    painter.left('abcdefghijklmnop', plain)
    painter.startRight()
    painter.right('ABCDEFGHIJKLMNOP', plain)
    painter.end()
    expect(terminal.lines()).toEqual(
      ['abcdefghij | ', 'klmnop     | ABCDEFGHIJ', '           | KLMNOP', ''].map(trimEnd),
    )
  })

  it('starts the right text next to the current row of the left one', () => {
    const { terminal, painter } = paint()
    painter.left('one\ntwo\nthree', plain)
    painter.startRight()
    painter.right('3', plain)
    painter.left('\nfour', plain)
    expect(terminal.lines()).toEqual([
      'one        |',
      'two        |',
      'three      | 3',
      'four       |',
      '',
    ])
  })

  it('continues at the top of the window if a column has scrolled away', () => {
    const { terminal, painter } = paint(4)
    painter.startRight()
    painter.right('first', plain)
    painter.left('1\n2\n3\n4\n5\n6', plain)
    painter.right(' last', plain)
    const lines = terminal.lines()
    expect(lines[0]).toBe('1          | first')
    expect(lines.join('\n')).toContain(' last')
    expect(lines).toHaveLength(7)
  })

  it('replaces control characters of the model', () => {
    const { terminal, painter } = paint()
    painter.left('a\u001b[2Jb\rc', plain)
    painter.end()
    expect(terminal.lines()[0]).toBe('a␛[2Jb␍c   |')
  })

  it('knows that some characters are wide', () => {
    const { terminal, painter } = paint()
    painter.left('日本語日本語', plain)
    expect(terminal.lines()[0]).toContain('日本語日本 ')
    expect(terminal.lines()[1]).toContain('語 ')
  })
})

function trimEnd(text: string): string {
  return text.trimEnd()
}
