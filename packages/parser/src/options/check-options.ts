import { didYouMean } from './closest-name.js'

/** The options that have a fixed set of values. */
const choices: Readonly<Record<string, readonly unknown[]>> = {
  mode: ['prompt', 'rescue'],
  tolerance: ['exact', 'safe', 'eager'],
  forcedChoice: ['json', 'prompt'],
  placement: ['first', 'last'],
  mediaStrategy: ['model', 'placeholder', 'auto'],
  debug: [true, false, 'off', 'stream', 'parse'],
  syntax: ['wire', 'json', 'line'],
  fallbackToJson: ['complex', 'error', 'force'],
  descriptions: ['none', 'short', 'full'],
}

/** The names of all options of a type. The compiler reports a missing name. */
export type OptionNames<Options> = Readonly<Record<keyof Options, true>>

/**
 * Throws for an option that does not exist: `compactTools has no option "manualheader". Did you
 * mean manualHeader?`
 */
export function checkOptionNames(
  factory: string,
  options: object,
  known: Readonly<Record<string, true>>,
): void {
  const unknown = Object.keys(options).find(name => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const hint =
    didYouMean(unknown, Object.keys(known)) || ` Its options are: ${Object.keys(known).join(', ')}.`
  throw new TypeError(`${factory} has no option ${JSON.stringify(unknown)}.${hint}`)
}

/** Throws for a value that an option does not allow: JavaScript callers have no types. */
export function checkOptionValues(options: object): void {
  for (const [option, value] of Object.entries<unknown>({ ...options })) {
    const known = choices[option]
    const isAllowed =
      option === 'maxHeldChars' ? Number(value) >= 1024 : (known?.includes(value) ?? true)
    if (value === undefined || isAllowed) continue
    const wanted =
      known?.map(each => JSON.stringify(each)).join(' or ') ?? 'a number of at least 1024'
    throw new TypeError(`${option} is ${JSON.stringify(value)}; it must be ${wanted}.`)
  }
}
