import type { Json } from './json.js'

/**
 * The liberties that models take with JSON. Each is something that the reader claims to understand.
 */
export const liberties = [
  'single-quotes',
  'bare-keys',
  'trailing-commas',
  'missing-commas',
  'doubled-commas',
  'comments',
  'python-literals',
  'raw-line-breaks',
  'line-breaks',
] as const
export type Liberty = (typeof liberties)[number]

/** Decides at each place whether a liberty is taken there. */
export type TakesLiberty = (liberty: Liberty) => boolean

/** Writes JSON as a model might. What it means is still the value. */
export function writeLoosely(value: Json, takes: TakesLiberty): string {
  const gap = () => {
    if (takes('comments'))
      return takes('line-breaks') ? ' // a "note", {really}\n' : ' /* a "note", {really} */ '
    return takes('line-breaks') ? '\n  ' : ' '
  }
  /** `next` is undefined behind the last value. */
  const comma = (value: Json, next: string | undefined) => {
    if (next === undefined) return takes('trailing-commas') ? ',' : ''
    // Behind a string, only another quote says that it was the end and not a quote inside it.
    const isClear = typeof value !== 'string' || /^\s*["']/.test(next)
    if (isClear && takes('missing-commas')) return '\n'
    return takes('doubled-commas') ? ',,' : ','
  }
  const join = (parts: readonly { readonly text: string; readonly value: Json }[]) =>
    parts.map(({ text, value }, i) => text + comma(value, parts[i + 1]?.text)).join('')
  const string = (text: string, isKey = false) => {
    const json = JSON.stringify(text)
    // Only where no quote inside makes it a riddle.
    if (/['"]/.test(text)) return json
    // A line break inside what may be a key says that it is none.
    if (!isKey && takes('raw-line-breaks')) return json.replace(/(?<!\\)((?:\\\\)*)\\n/g, '$1\n')
    return takes('single-quotes') ? `'${json.slice(1, -1)}'` : json
  }
  const key = (text: string) =>
    /^[A-Za-z_][A-Za-z_0-9]*$/.test(text) && takes('bare-keys') ? text : string(text, true)
  const write = (each: Json): string => {
    if (typeof each === 'string') return string(each)
    if (each === null) return takes('python-literals') ? 'None' : 'null'
    if (each === true) return takes('python-literals') ? 'True' : 'true'
    if (each === false) return takes('python-literals') ? 'False' : 'false'
    if (typeof each === 'number') return JSON.stringify(each)
    if (isList(each)) {
      return `[${join(each.map(item => ({ text: gap() + write(item), value: item })))}${gap()}]`
    }
    const pairs = Object.entries(each).map(([name, item]) => ({
      text: `${gap()}${key(name)}:${gap()}${write(item)}`,
      value: item,
    }))
    return `{${join(pairs)}${gap()}}`
  }
  return write(value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
