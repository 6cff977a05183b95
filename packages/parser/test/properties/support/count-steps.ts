/**
 * Counts the work that a run of the parser takes, in characters and list items, so that a test can
 * say how the work grows with the text without a clock.
 *
 * - A built-in function of strings counts the characters that it passes: `indexOf` those up to what
 *   it finds, `startsWith` those of its mark, a regular expression those up to the end of its match,
 *   or all of them if it does not match.
 * - `slice` and `+` count one: V8 copies nothing there. The copy is made when the joined text is
 *   read. The window of a cursor is joined again for each chunk: `countWindow` counts that.
 * - A built-in function of arrays counts the items of the array.
 *
 * Not counted: the steps back that a regular expression takes inside a match.
 */
let steps = 0

/** The work that was done since the file was loaded. */
export const stepsSoFar = (): number => steps

/** Makes a cursor count the characters of each text that its window is set to. */
export function countWindow<Cursor extends { text: string }>(cursor: Cursor): Cursor {
  let { text } = cursor
  return Object.defineProperty(cursor, 'text', {
    get: () => text,
    set(next: string) {
      steps += next.length
      text = next
    },
  })
}

/** Makes the built-in functions count. Returns the function that makes them stop. */
export function installStepCounter(): () => void {
  const restores = [
    ...countHotFunctions(),
    ...countStringFunctions(),
    ...countArrayFunctions(),
    countPatterns('exec', result => result),
    countPatterns('test', result => result !== null),
  ]
  return () => {
    for (const restore of restores) restore()
  }
}

/** The functions that readers call for each character: no list of arguments is made for these. */
function countHotFunctions(): (() => void)[] {
  const { charAt, includes, slice, startsWith, indexOf, trimEnd, trimStart } = String.prototype
  return [
    replace(String.prototype, 'charAt', function (this: string, at: number) {
      steps++
      return charAt.call(this, at)
    }),
    replace(String.prototype, 'slice', function (this: string, from?: number, to?: number) {
      steps++
      return slice.call(this, from, to)
    }),
    replace(String.prototype, 'startsWith', function (this: string, mark: string, at?: number) {
      steps += 1 + (mark.length > this.length ? 0 : mark.length)
      return startsWith.call(this, mark, at)
    }),
    replace(String.prototype, 'includes', function (this: string, text: string, from?: number) {
      steps += this.length
      return includes.call(this, text, from)
    }),
    replace(String.prototype, 'trimStart', function (this: string) {
      const rest = trimStart.call(this)
      steps += 1 + this.length - rest.length
      return rest
    }),
    replace(String.prototype, 'trimEnd', function (this: string) {
      const rest = trimEnd.call(this)
      steps += 1 + this.length - rest.length
      return rest
    }),
    replace(String.prototype, 'indexOf', function (this: string, mark: string, from = 0) {
      const at = indexOf.call(this, mark, from)
      steps += (at < 0 ? this.length : at + mark.length) - from
      return at
    }),
  ]
}

const stringFunctions = [
  ...['at', 'charCodeAt', 'codePointAt', 'endsWith', 'lastIndexOf', 'substring'],
  ...['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split', 'padStart', 'repeat'],
  ...['toLowerCase', 'toUpperCase', 'trim', Symbol.iterator],
] as const

const isOneStep = new Set<string | symbol>(['at', 'charCodeAt', 'codePointAt', 'substring'])

/** Where it is not known how far a function reads, all characters of the string count. */
function countStringFunctions(): (() => void)[] {
  return stringFunctions.map(name =>
    countCalls(String.prototype, name, text =>
      isOneStep.has(name) || typeof text !== 'string' ? 1 : text.length,
    ),
  )
}

const arrayFunctions = [
  ...['concat', 'flat', 'lastIndexOf', 'reduce', 'reverse', 'shift', 'slice', 'sort', 'splice'],
  ...['toReversed', 'toSorted', 'unshift', 'with', Symbol.iterator],
] as const

/** The functions that are called most, with two arguments at most. */
const plainArrayFunctions = [
  ...['every', 'filter', 'find', 'findIndex', 'findLast', 'flatMap', 'forEach'],
  ...['includes', 'indexOf', 'join', 'map', 'some'],
] as const

function countArrayFunctions(): (() => void)[] {
  const many = arrayFunctions.map(name =>
    countCalls(Array.prototype, name, list => (Array.isArray(list) ? list.length : 1)),
  )
  const plain = plainArrayFunctions.map(name => {
    const original = Reflect.get(Array.prototype, name)
    return replace(
      Array.prototype,
      name,
      function (this: unknown[], first: unknown, second: unknown) {
        steps += this.length
        return Reflect.apply(original, this, [first, second])
      },
    )
  })
  return [...many, ...plain]
}

/** Counts up to the end of the match; all characters if there is none. */
function countPatterns(
  name: 'exec' | 'test',
  resultOf: (match: RegExpExecArray | null) => unknown,
): () => void {
  const { exec } = RegExp.prototype
  return replace(RegExp.prototype, name, function (this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    if (match) steps += 1 + match.index + match[0].length - from
    else steps += 1 + charsBeforeFailure(this, text.length - from)
    return resultOf(match)
  })
}

/** A short text is not worth the question. */
const SHORT_CHARS = 64

function charsBeforeFailure(pattern: RegExp, chars: number): number {
  return chars <= SHORT_CHARS ? chars : Math.min(chars, reachOf(pattern))
}

const reaches = new WeakMap<RegExp, number>()
const escapesAndClasses = /\\.|\[[^\]]*]/g
const endlessRepeat = /[*+]|,}/

/**
 * How many characters a pattern may read before it fails: one that is bound to a place and repeats
 * nothing without a limit reads no more than it is long.
 */
function reachOf(pattern: RegExp): number {
  const known = reaches.get(pattern)
  if (known !== undefined) return known
  // The patterns of this function are asked for too.
  reaches.set(pattern, Number.POSITIVE_INFINITY)
  const { source, sticky } = pattern
  const isBound = sticky || source.charAt(0) === '^'
  const isEndless = endlessRepeat.test(source.replace(escapesAndClasses, ''))
  if (isBound && !isEndless) reaches.set(pattern, source.length)
  return reaches.get(pattern) ?? source.length
}

function countCalls(
  owner: object,
  name: string | symbol,
  costOf: (self: unknown) => number,
): () => void {
  const original = Reflect.get(owner, name)
  return replace(owner, name, function (this: unknown, ...args: unknown[]) {
    steps += costOf(this)
    return Reflect.apply(original, this, args)
  })
}

function replace(owner: object, name: string | symbol, value: unknown): () => void {
  const original = Object.getOwnPropertyDescriptor(owner, name)
  Object.defineProperty(owner, name, { ...original, value })
  return () => {
    if (original) Object.defineProperty(owner, name, original)
  }
}
