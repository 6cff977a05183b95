import { HttpError } from './http-error.js'

// A body takes memory while it arrives, and a client may take a minute over it. A bound on each body
// is none on all of them: a thousand clients that send 32 MB and then wait would fill the memory.
// Beyond the bound the body that began first is given up. It has had the most time, so those that
// send quickly are not kept out by those that do not.

/** The bodies that are arriving. */
export interface ArrivingBodies {
  /** Adds a body. `giveUp` is called if it must make room for others. */
  open(giveUp: (reason: HttpError) => void): ArrivingBody
}

/** A body that is arriving. */
export interface ArrivingBody {
  /** Notes that so many more bytes are in memory. May give up bodies, this one too. */
  hold(bytes: number): void
  /** Notes that what was held has been sent on. */
  forget(): void
  /** Removes the body: it has arrived, or is not read any further. */
  close(): void
}

/** What a body counts at least: its connection with its buffers. It bounds how many there are. */
const MIN_BODY_BYTES = 64 * 1024

interface Entry {
  heldBytes: number
  readonly giveUp: (reason: HttpError) => void
}

/** `maxBytes` is asked at each use, because a reload may change it. */
export function createArrivingBodies(maxBytes: () => number): ArrivingBodies {
  /** In the order in which they began, or last sent on what they held. */
  const entries = new Set<Entry>()
  let totalBytes = 0

  const countedBytes = ({ heldBytes }: Entry) => Math.max(heldBytes, MIN_BODY_BYTES)
  const remove = (entry: Entry) => {
    if (entries.delete(entry)) totalBytes -= countedBytes(entry)
  }
  const change = (entry: Entry, heldBytes: number) => {
    if (!entries.has(entry)) return
    totalBytes -= countedBytes(entry)
    entry.heldBytes = heldBytes
    totalBytes += countedBytes(entry)
  }
  const makeRoom = () => {
    for (const entry of entries) {
      if (totalBytes <= maxBytes()) return
      remove(entry)
      entry.giveUp(tooSlow(maxBytes()))
    }
  }
  return {
    open(giveUp) {
      const entry: Entry = { heldBytes: 0, giveUp }
      entries.add(entry)
      totalBytes += countedBytes(entry)
      makeRoom()
      return {
        hold(bytes) {
          change(entry, entry.heldBytes + bytes)
          makeRoom()
        },
        forget() {
          change(entry, 0)
          // An upload that goes on is not slow, however long it takes.
          if (entries.delete(entry)) entries.add(entry)
        },
        close: () => remove(entry),
      }
    },
  }
}

function tooSlow(maxBytes: number): HttpError {
  return new HttpError(
    503,
    `The bodies that are arriving are longer than ${maxBytes} bytes together, and this one has taken the longest. Send it again, and faster.`,
    { code: 'too_many_bodies', headers: { 'retry-after': '1', connection: 'close' } },
  )
}
