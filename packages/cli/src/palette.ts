export type Paint = (text: string) => string

export interface Palette {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly cyan: Paint
}

/** Creates functions that color a text; without colors they return it unchanged. */
export function createPalette(hasColor: boolean): Palette {
  const paint =
    (on: number, off: number): Paint =>
    text =>
      hasColor && text !== '' ? `\u001b[${on}m${text}\u001b[${off}m` : text
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    cyan: paint(36, 39),
  }
}
