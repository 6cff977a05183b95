/** A problem in a configuration. */
export interface ConfigProblem {
  /** The file. Flags and environment variables have no file, line and column. */
  readonly fileName?: string | undefined
  /** From 1. */
  readonly line?: number | undefined
  /** From 1. */
  readonly column?: number | undefined
  /** `models[0].protocol`, `--port` or `TOOLGLOT_PORT`. */
  readonly path: string
  readonly message: string
  /** How to fix it. */
  readonly fix: string
}

/**
 * Returns a problem as one line: `toolglot.yaml:3:5: models[0].mode: is "promt". Did you mean…`
 */
export function formatProblem({
  fileName,
  line,
  column,
  path,
  message,
  fix,
}: ConfigProblem): string {
  const place = [fileName, line, column].filter(part => part !== undefined).join(':')
  const before = [fileName === undefined ? '' : place, path].filter(part => part !== '')
  return [...before, `${message}. ${fix}`].join(': ')
}

export type Path = readonly (string | number)[]

/** Returns the path of an issue of the schema. */
export function issuePath({ path }: { readonly path: readonly PropertyKey[] }): Path {
  return path.map(key => (typeof key === 'symbol' ? String(key) : key))
}

/** `models[0].set.temperature` */
export function showPath(path: Path): string {
  return path
    .map(key => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '')
}
