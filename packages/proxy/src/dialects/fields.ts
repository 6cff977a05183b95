import { badRequest } from '../http/http-error.js'
import { isRecord } from '../is-record.js'

/** An object in a request's body. Its methods throw an `HttpError` with the path of a wrong field. */
export interface Fields {
  readonly path: string
  readonly value: Readonly<Record<string, unknown>>
  string(key: string): string | undefined
  number(key: string): number | undefined
  boolean(key: string): boolean | undefined
  object(key: string): Fields | undefined
  list(key: string): readonly unknown[] | undefined
  strings(key: string): string[] | undefined
  /** Returns the value, or throws if it is undefined: the field is required. */
  need<Value>(key: string, value: Value | undefined): Value
  pathOf(key: string): string
}

export function fieldsOf(value: unknown, path = ''): Fields {
  if (!isRecord(value)) throw badRequest(path || 'body', `must be an object, not ${nameOf(value)}.`)
  const pathOf = (key: string) => (path ? `${path}.${key}` : key)
  const read = <Value>(
    key: string,
    what: string,
    is: (field: unknown) => field is Value,
  ): Value | undefined => {
    const field = value[key]
    if (field === undefined || field === null) return undefined
    if (!is(field)) throw badRequest(pathOf(key), `must be ${what}, not ${nameOf(field)}.`)
    return field
  }
  return {
    path,
    value,
    pathOf,
    string: key => read(key, 'a string', field => typeof field === 'string'),
    number: key => read(key, 'a number', field => typeof field === 'number'),
    boolean: key => read(key, 'a boolean', field => typeof field === 'boolean'),
    list: key => read<unknown[]>(key, 'a list', field => Array.isArray(field)),
    strings(key) {
      return read<unknown[]>(key, 'a list', field => Array.isArray(field))?.map((item, i) => {
        if (typeof item !== 'string')
          throw badRequest(`${pathOf(key)}[${i}]`, `must be a string, not ${nameOf(item)}.`)
        return item
      })
    },
    object(key) {
      const field = read(key, 'an object', isRecord)
      return field && fieldsOf(field, pathOf(key))
    },
    need(key, field) {
      if (field === undefined) throw badRequest(pathOf(key), 'is missing.')
      return field
    },
  }
}

/** Longer values are cut in messages. */
const MAX_QUOTED_CHARS = 40

/** Names a value in a message: `string "Hello"`, `number 7`, `a list`. */
function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value !== 'string') return `${typeof value} ${value}`
  const isLong = value.length > MAX_QUOTED_CHARS
  return `string ${JSON.stringify(isLong ? `${value.slice(0, MAX_QUOTED_CHARS)}…` : value)}`
}
