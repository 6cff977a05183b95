/** A character on the screen. */
export interface Cell {
  readonly char: string
  /** The codes of its colors, such as `2` (dim) or `33` (yellow), in the order in which they were set. */
  readonly style: string
  /** When it was first shown, in milliseconds of the recording. */
  readonly since: number
}

/** A screen that remembers when each of its characters was written. */
export interface Screen {
  write(text: string): void
  rows(): readonly (readonly Cell[])[]
}

/** The codes that end a style, and those that they end. */
const endedBy: Readonly<Record<string, readonly string[]>> = {
  22: ['1', '2'],
  39: ['31', '32', '33', '36'],
}

export interface ScreenOptions {
  readonly columns: number
  /** A line that is too long goes on in the next row, as in a terminal, or ends with `…`. */
  readonly longLines: 'wrap' | 'cut'
  /** The time of the recording. */
  readonly now: () => number
}

/**
 * Creates a screen that understands what the views of the demo write: colors, `\u001b[3A` (up),
 * `\u001b[2K` (clear the line), `\u001b[57G` (to a column).
 */
export function createScreen({ columns, longLines, now }: ScreenOptions): Screen {
  const rows: Cell[][] = [[]]
  /** The rows as they were before they were cleared: a line that is painted again is not new. */
  const cleared: Cell[][] = []
  let row = 0
  let column = 0
  let styles: readonly string[] = []

  const rowAt = (at: number): Cell[] => {
    while (rows.length <= at) rows.push([])
    return rows[at] ?? []
  }
  const setStyle = (code: string) => {
    const ended = endedBy[code]
    styles = ended ? styles.filter(each => !ended.includes(each)) : [...styles, code]
  }
  const clearLine = () => {
    cleared[row] = rowAt(row)
    rows[row] = []
  }
  const control = (amount: string, command: string) => {
    if (command === 'm') setStyle(amount)
    else if (command === 'A') row -= Number(amount)
    else if (command === 'G') column = Number(amount) - 1
    else if (command === 'K' && amount === '2') clearLine()
    else throw new Error(`the screen does not know the escape sequence ${amount}${command}`)
  }
  const newLine = () => {
    row++
    column = 0
    rowAt(row)
  }
  const put = (char: string) => {
    if (char === '\n') return newLine()
    if (char === '\r') {
      column = 0
      return
    }
    if (column < columns) return putCell(char)
    if (longLines === 'wrap') {
      newLine()
      return putCell(char)
    }
    column = columns - 1
    putCell('…')
  }
  const putCell = (char: string) => {
    const line = rowAt(row)
    while (line.length < column) line.push({ char: ' ', style: '', since: now() })
    const style = styles.join(' ')
    const before = cleared[row]?.[column]
    const isOld = before?.char === char && before.style === style
    line[column++] = isOld ? before : { char, style, since: now() }
  }
  return {
    write(text) {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
      for (const [char, amount, command] of text.matchAll(/\u001b\[(\d*)([A-Za-z])|./gsu)) {
        if (amount === undefined || command === undefined) put(char)
        else control(amount, command)
      }
    },
    rows: () => rows,
  }
}
