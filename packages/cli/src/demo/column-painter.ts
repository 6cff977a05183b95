import type { Paint } from '../palette.js'
import { charWidth, showControls } from '../terminal-text.js'

/**
 * Paints two columns of text that grow at the same time. The terminal must be able to move its
 * cursor up.
 */
export interface ColumnPainter {
  left(text: string, paint: Paint): void
  right(text: string, paint: Paint): void
  /**
   * Starts a new row in the right column, next to the current row of the left one: parts are shown
   * next to the text they come from.
   */
  startRight(): void
  /** Ends both columns. Later output is written below them. */
  end(): void
}

export interface ColumnPainterOptions {
  readonly write: (text: string) => void
  readonly columns: number
  readonly rows: number
  readonly separator: string
}

interface Column {
  readonly width: number
  readonly rows: Map<number, { text: string; width: number }>
  /** The row that is written to; -1 before the first. */
  at: number
}

export function createColumnPainter({
  write,
  columns,
  rows,
  separator,
}: ColumnPainterOptions): ColumnPainter {
  // The last column stays free: terminals differ in what they do after it.
  const width = Math.floor((columns - 1 - 3) / 2)
  const left = createColumn(width)
  const right = createColumn(width)
  let paintedRows = 0
  let dirtyFrom = 0

  /** The first row that is still in the window; the cursor cannot reach the rows above. */
  const firstReachable = () => Math.max(0, paintedRows - (rows - 1))
  const moveTo = (column: Column, row: number) => {
    column.at = row
    column.rows.set(row, { text: '', width: 0 })
    dirtyFrom = Math.min(dirtyFrom, row)
  }
  const put = (column: Column, text: string, paint: Paint) => {
    if (column.at < firstReachable()) moveTo(column, Math.max(column.at + 1, firstReachable()))
    let run = ''
    const endRun = () => {
      const row = column.rows.get(column.at)
      if (row && run) row.text += paint(run)
      dirtyFrom = Math.min(dirtyFrom, column.at)
      run = ''
    }
    for (const char of showControls(text)) {
      const row = column.rows.get(column.at)
      if (char === '\n' || (row && row.width + charWidth(char) > column.width)) {
        endRun()
        moveTo(column, column.at + 1)
      }
      if (char === '\n') continue
      const current = column.rows.get(column.at)
      if (current) current.width += charWidth(char)
      run += char
    }
    endRun()
  }
  const paintRow = (row: number) => {
    // The separator is placed by column, not with spaces, so that a wrong character width cannot
    // move it.
    const rest = `\u001b[${width + 2}G${separator} ${right.rows.get(row)?.text ?? ''}`
    return `\u001b[2K${left.rows.get(row)?.text ?? ''}${rest}\n`
  }
  const paint = () => {
    const rowCount = Math.max(left.at, right.at) + 1
    const from = Math.max(dirtyFrom, firstReachable())
    const up = paintedRows - from
    let out = up > 0 ? `\u001b[${up}A\r` : ''
    for (let row = up > 0 ? from : paintedRows; row < rowCount; row++) out += paintRow(row)
    if (out) write(out)
    paintedRows = rowCount
    dirtyFrom = rowCount
  }

  return {
    left(text, paintText) {
      put(left, text, paintText)
      paint()
    },
    right(text, paintText) {
      put(right, text, paintText)
      paint()
    },
    startRight() {
      // A line break at the end of the left text has opened a row that is still empty.
      const leftRow =
        left.rows.get(left.at)?.width === 0 && right.at < left.at - 1 ? left.at - 1 : left.at
      moveTo(right, Math.max(right.at + 1, leftRow, 0))
      paint()
    },
    end: paint,
  }
}

function createColumn(width: number): Column {
  return { width, rows: new Map(), at: -1 }
}
