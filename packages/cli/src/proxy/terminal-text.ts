import { escapeControls } from '../json-text.js'

// Texts of servers and clients, as a terminal may show them.

/** Longer texts of others are cut. */
const MAX_SHOWN_CHARS = 128

/** Returns a text of a server or a client without characters that control a terminal. */
export function printable(text: string): string {
  const shown = text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text
  return escapeControls(shown)
}

/** Breaks a text into lines between its words. A word that is longer than a line stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
