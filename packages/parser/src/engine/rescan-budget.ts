// `<call> <call> <call> …`: a mark that opened no call is read again as text. Hostile text could
// make that happen at every mark, over and over the same characters. So there is a budget: this many
// characters at the start, and so many more for each character that arrived.
const FREE_RESCAN_CHARS = 65_536
const RESCANS_PER_CHAR = 8

/** Takes so many characters that are read again. Returns false if that has happened too often. */
export type TakeRescanBudget = (chars: number) => boolean

/** `offset` returns how many characters of the text were read. */
export function createRescanBudget(offset: () => number): TakeRescanBudget {
  let rescannedChars = 0
  return chars => {
    rescannedChars += chars
    return rescannedChars <= FREE_RESCAN_CHARS + RESCANS_PER_CHAR * offset()
  }
}
