import type { UpstreamConfig } from '../config.js'
import type { StreamPart } from '../model-types.js'
import { createTextRedactor, type PieceRedactor, REDACTED } from './redact-text.js'
import { type Secrets, secretsOf, spellings } from './secrets.js'

// A server may repeat the key that it was sent: in an error, in a header, in an echo of the request.
// The client must not get it. Most servers never do, and a stream has an event for each token, so
// all of this is a search for a literal text.

/** Hides the keys of one server. */
export interface Redactor {
  /** Text of any kind. */
  text(text: string): string
  /** Text of an error, or a header's value: short keys too, where they are words of their own. */
  strict(text: string): string
  /** Bytes of an answer that come in pieces. In an error short keys are hidden as by `strict`. */
  bytes(isError: boolean): ByteRedactor
  /** Parts of an answer: a key may be cut over two deltas. */
  parts(): (part: StreamPart) => readonly StreamPart[]
}

export interface ByteRedactor {
  push(bytes: Uint8Array): Uint8Array
  end(): Uint8Array
}

const redactors = new WeakMap<UpstreamConfig, { readonly redactor: Redactor | undefined }>()

/** Returns what hides the keys of a server; undefined if it has none. */
export function redactorFor(upstream: UpstreamConfig): Redactor | undefined {
  const known = redactors.get(upstream)
  if (known) return known.redactor
  const redactor = createRedactor(secretsOf(upstream))
  redactors.set(upstream, { redactor })
  return redactor
}

function createRedactor(secrets: Secrets): Redactor | undefined {
  const { strong, short, placeholders } = secrets
  if (strong.length + short.length + placeholders.length === 0) return undefined
  const anywhere = [...strong, ...short.map(key => `Bearer ${key}`)].flatMap(spellings)
  const redactor = createTextRedactor(anywhere)
  const inBytes = createTextRedactor(anywhere.map(binaryOf))
  const words = [...short, ...placeholders].map(
    key => new RegExp(`(?<![\\w-])${escapeRegExp(key)}(?![\\w-])`, 'g'),
  )
  const hideWords = (text: string) =>
    words.reduce((rest, word) => rest.replace(word, REDACTED), text)
  return {
    text: redactor.whole,
    strict: text => hideWords(redactor.whole(text)),
    bytes(isError) {
      const plain = createByteRedactor(inBytes.pieces(), inBytes.patterns)
      return isError && words.length > 0 ? createErrorRedactor(plain, hideWords) : plain
    },
    parts: () => createPartRedactor(redactor.pieces(), redactor.whole),
  }
}

function escapeRegExp(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

/** Searches bytes as text in which each character is a byte. */
function createByteRedactor(pieces: PieceRedactor, patterns: readonly string[]): ByteRedactor {
  const keys = patterns.map(bytesOf)
  return {
    push(bytes) {
      // Most pieces contain no key. They are passed on without being read as text.
      if (!pieces.isHolding() && !keys.some(key => mayContain(bytes, key))) return bytes
      const text = textOfBytes(bytes)
      const clean = pieces.push(text)
      return clean === text ? bytes : bytesOf(clean)
    },
    end: () => bytesOf(pieces.end()),
  }
}

/** The longest error that is read whole, because a short key must be a word of its own. */
const MAX_ERROR_BYTES = 1_048_576

/** Keeps an error until its end, and hides words in it. A very long one is passed on. */
function createErrorRedactor(
  plain: ByteRedactor,
  hideWords: (text: string) => string,
): ByteRedactor {
  let kept = ''
  let isTooLong = false
  return {
    push(bytes) {
      const clean = plain.push(bytes)
      if (isTooLong) return clean
      kept += textOfBytes(clean)
      isTooLong = kept.length > MAX_ERROR_BYTES
      return isTooLong ? bytesOf(kept) : new Uint8Array()
    },
    end() {
      const rest = textOfBytes(plain.end())
      return bytesOf(isTooLong ? rest : hideWords(kept + rest))
    },
  }
}

/** True if bytes contain a key, or end with the beginning of one. */
function mayContain(bytes: Uint8Array, key: Uint8Array): boolean {
  const [first = 0] = key
  for (let at = bytes.indexOf(first); at >= 0; at = bytes.indexOf(first, at + 1)) {
    let length = 1
    while (length < key.length && bytes[at + length] === key[length]) length++
    if (length === key.length || at + length >= bytes.length) return true
  }
  return false
}

/** How many arguments a function may have. */
const MAX_ARGUMENTS = 8192

function textOfBytes(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += MAX_ARGUMENTS)
    text += String.fromCharCode(...bytes.subarray(at, at + MAX_ARGUMENTS))
  return text
}

function bytesOf(text: string): Uint8Array {
  return Uint8Array.from(text, char => char.charCodeAt(0))
}

/** The UTF-8 of a text, as text in which each character is a byte. */
function binaryOf(text: string): string {
  return textOfBytes(new TextEncoder().encode(text))
}

type Delta = Extract<StreamPart, { readonly delta: string }>

function createPartRedactor(
  pieces: PieceRedactor,
  whole: (text: string) => string,
): (part: StreamPart) => readonly StreamPart[] {
  /** The last delta. What is kept of it is sent when something else follows. */
  let last: Delta | undefined
  const finishLast = (): readonly Delta[] => {
    const rest = pieces.end()
    return last && rest !== '' ? [{ ...last, delta: rest }] : []
  }
  return part => {
    if (!isDelta(part)) return [...finishLast(), hideInCall(part, whole)]
    const before = last && (last.type !== part.type || last.id !== part.id) ? finishLast() : []
    last = part
    const delta = pieces.push(part.delta)
    if (delta === part.delta && before.length === 0) return [part]
    return delta === '' ? before : [...before, { ...part, delta }]
  }
}

function isDelta(part: StreamPart): part is Delta {
  return 'delta' in part
}

function hideInCall(part: StreamPart, whole: (text: string) => string): StreamPart {
  return part.type === 'tool-call' ? { ...part, input: whole(part.input) } : part
}
