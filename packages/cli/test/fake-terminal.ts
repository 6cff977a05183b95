import type { Output } from '../src/terminal.js'

export interface FakeOutput extends Output {
  text(): string
}

/** An output that is not a terminal. */
export function createFakeOutput(): FakeOutput {
  let text = ''
  return {
    write(piece) {
      text += piece
    },
    text: () => text,
  }
}

export interface FakeTerminal extends FakeOutput {
  /** All lines as a person sees them, including those that have scrolled away. */
  lines(): string[]
}

/**
 * The part of a terminal that the demo uses. It fails on sequences for which a real terminal would
 * do something that the demo does not expect.
 */
export function createFakeTerminal({
  columns,
  rows,
}: {
  columns: number
  rows: number
}): FakeTerminal {
  const lines: string[][] = [[]]
  let text = ''
  let row = 0
  let column = 0
  const lineAt = (at: number) => {
    while (lines.length <= at) lines.push([])
    return lines[at] ?? []
  }
  const steer = (amount: string, command: string) => {
    if (command === 'm') return
    if (command === 'A') row -= Number(amount)
    else if (command === 'G') column = Number(amount) - 1
    else if (command === 'K' && amount === '2') lineAt(row).length = 0
    else throw new Error(`unknown escape sequence: ${amount}${command}`)
    if (row < lines.length - rows) throw new Error('the cursor was moved above the window')
  }
  const put = (char: string) => {
    if (char === '\n') {
      row++
      column = 0
      lineAt(row)
    } else if (char === '\r') column = 0
    else {
      if (column >= columns) put('\n')
      const line = lineAt(row)
      while (line.length < column) line.push(' ')
      line[column++] = char
    }
  }
  return {
    isTTY: true,
    columns,
    rows,
    write(piece) {
      text += piece
      // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are controlled by them
      for (const [all, amount, command] of piece.matchAll(/\u001b\[(\d*)([A-Za-z])|./gsu)) {
        if (amount === undefined || command === undefined) put(all)
        else steer(amount, command)
      }
    },
    text: () => text,
    lines: () => lines.map(line => line.join('').trimEnd()),
  }
}
