export const REDACTED = '[redacted]'

/** Replaces patterns in text that comes in pieces. */
export interface PieceRedactor {
  /** Returns what can be sent. The rest may be the beginning of a pattern, and is kept. */
  push(piece: string): string
  /** True if something is kept. */
  isHolding(): boolean
  /** Returns what was kept. */
  end(): string
}

/** Replaces patterns in text. */
export interface TextRedactor {
  readonly patterns: readonly string[]
  whole(text: string): string
  /** Starts a text that comes in pieces. */
  pieces(): PieceRedactor
}

/** Replaces literal patterns by `[redacted]`. */
export function createTextRedactor(texts: readonly string[]): TextRedactor {
  // The longest comes first: one key may begin with another.
  const patterns = [...new Set(texts)].sort((left, right) => right.length - left.length)
  const whole = (text: string) => {
    let clean = text
    for (const pattern of patterns)
      if (clean.includes(pattern)) clean = clean.replaceAll(pattern, REDACTED)
    return clean
  }
  return {
    patterns,
    whole,
    pieces() {
      let held = ''
      return {
        push(piece) {
          const text = held + piece
          const { clean, keptFrom } = redactPiece(text, patterns)
          held = text.slice(keptFrom)
          return clean
        },
        isHolding: () => held !== '',
        end() {
          const rest = whole(held)
          held = ''
          return rest
        },
      }
    },
  }
}

/** Redacts a text that may go on. `clean` is the text before `keptFrom`. */
function redactPiece(
  text: string,
  patterns: readonly string[],
): { readonly clean: string; readonly keptFrom: number } {
  let clean = ''
  let at = 0
  for (;;) {
    const found = findFirst(text, patterns, at)
    const keptFrom = findBeginning(text, patterns, at)
    // `sk-1` and `sk-12` are keys, and the text ends with `sk-1`: the longer one may follow.
    if (!found || keptFrom <= found.at) return { clean: clean + text.slice(at, keptFrom), keptFrom }
    clean += text.slice(at, found.at) + REDACTED
    at = found.at + found.length
  }
}

/** Finds the pattern that begins first; the longest of those that begin there. */
function findFirst(
  text: string,
  patterns: readonly string[],
  from: number,
): { readonly at: number; readonly length: number } | undefined {
  let first: { readonly at: number; readonly length: number } | undefined
  for (const pattern of patterns) {
    const at = text.indexOf(pattern, from)
    if (at >= 0 && (!first || at < first.at)) first = { at, length: pattern.length }
  }
  return first
}

/** Returns where the end of a text begins a pattern that goes on after it; its length if nowhere. */
function findBeginning(text: string, patterns: readonly string[], from: number): number {
  const longest = patterns[0]?.length ?? 0
  for (let at = Math.max(from, text.length - longest + 1); at < text.length; at++) {
    const char = text.charCodeAt(at)
    for (const pattern of patterns)
      if (pattern.charCodeAt(0) === char && isBeginning(text, at, pattern)) return at
  }
  return text.length
}

function isBeginning(text: string, at: number, pattern: string): boolean {
  return text.length - at < pattern.length && pattern.startsWith(text.slice(at))
}
