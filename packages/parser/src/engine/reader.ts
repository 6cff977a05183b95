/** Takes text as it comes, and can stop and go on at any character. */
export interface ChunkReader {
  /** Reads `chunk` from `from` up to `to`; returns the index behind the last character that it took. */
  feed(chunk: string, from: number, to: number): number
}

/** Reads one thing, and knows where it ends. */
export interface Reader extends ChunkReader {
  /** `done`: it is complete. `failed`: it cannot be read; `error()` says why. */
  status(): 'reading' | 'done' | 'failed'
  error(): string
  /** What could not be read, from the character that showed it; or what was looked at behind the end. */
  unread(): string
}
