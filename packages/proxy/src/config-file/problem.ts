/** Something in a configuration that is not as it should be. */
export interface ConfigProblem {
  /** Where it was written. Flags and variables of the environment have none of the three. */
  readonly fileName?: string | undefined
  /** From 1. */
  readonly line?: number | undefined
  /** From 1. */
  readonly column?: number | undefined
  /** `models[0].protocol`, `--port` or `TOOLGLOT_PORT`. */
  readonly path: string
  readonly message: string
  /** What to do about it. */
  readonly fix: string
}

/**
 * One line for a person: `toolglot.yaml:3:5: models[0].mode: is "promt". Did you mean "prompt"?`
 */
export function formatProblem({
  fileName,
  line,
  column,
  path,
  message,
  fix,
}: ConfigProblem): string {
  const place =
    fileName === undefined
      ? ''
      : `${[fileName, line, column].filter(part => part !== undefined).join(':')}: `
  return `${place}${path === '' ? '' : `${path}: `}${message}. ${fix}`
}

export type Path = readonly (string | number)[]

/** `models[0].set.temperature` */
export function showPath(path: Path): string {
  return path
    .map((key, i) => (typeof key === 'number' ? `[${key}]` : i === 0 ? key : `.${key}`))
    .join('')
}
