import { appendChunk, createCursor } from './text/cursor.js'
import { createTextCollector } from './text/text-collector.js'

export type Source = ReturnType<typeof createSource>

/**
 * The text of a scanner: the window that readers see through the cursor, and the raw text of the
 * markup that is being read, which may have left the window already.
 */
export function createSource() {
  const cursor = createCursor()
  /** The markup so far, up to `rawEnd`; what comes after that is still in the window. */
  const raw = createTextCollector()
  let rawEnd = 0

  const offset = () => cursor.windowOffset + cursor.at
  /** Keeps the markup up to the cursor, before the window moves on. */
  const keepRaw = () => {
    raw.push(cursor.text.slice(rawEnd - cursor.windowOffset, cursor.at))
    rawEnd = offset()
  }
  /** Returns the markup up to the cursor, and begins with an empty one. */
  const takeRaw = (): string => {
    keepRaw()
    return raw.take()
  }
  /** Sets the cursor back by so many characters of a text that ends at the cursor. */
  const rewind = (text: string, chars: number) => {
    // Mostly they are still in the window; building that again each time would be quadratic.
    if (chars > cursor.at) {
      cursor.windowOffset = offset() - text.length
      cursor.text = text + cursor.text.slice(cursor.at)
      cursor.at = text.length
    }
    cursor.at -= chars
  }

  return {
    cursor,
    /** Where the cursor is in the whole text. */
    offset,
    append(chunk: string, isReadingMarkup: boolean) {
      if (isReadingMarkup) keepRaw()
      appendChunk(cursor, chunk)
    },
    /** Markup begins at the cursor. */
    beginRaw() {
      rawEnd = offset()
    },
    takeRaw,
    rewind,
    /** Sets the cursor back by so many characters of the markup, which goes on from there. */
    rewindRaw(chars: number) {
      // Only what is kept already has to be taken back.
      if (offset() - chars < rawEnd) {
        keepRaw()
        rewind(raw.takeLast(chars), chars)
        rawEnd = offset()
      } else cursor.at -= chars
    },
    /**
     * Hides the text after an offset from readers, so that they see no more than may be held back.
     * Returns what `show` needs.
     */
    hideAfter(end: number): string {
      const visibleChars = Math.max(cursor.at, end - cursor.windowOffset)
      if (visibleChars >= cursor.text.length) return ''
      const hidden = cursor.text.slice(visibleChars)
      cursor.text = cursor.text.slice(0, visibleChars)
      return hidden
    },
    /** Shows hidden text again. A reader may have rewound the window, but its end is the same. */
    show(hidden: string) {
      cursor.text += hidden
    },
  }
}
