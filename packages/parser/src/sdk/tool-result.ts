import { asRecord, isRecord } from '../is-record.js'
import type { Part, ToolResult } from './parts.js'

/**
 * What the model gets of files in a tool's result. `model`: the files. `placeholder`: their names.
 * `auto`: the images, and the names of other files.
 */
export type MediaStrategy = 'model' | 'placeholder' | 'auto'

/**
 * Reads the `output` of a tool result of AI SDK 5, 6 or 7. Text is a string; every other value is
 * data for `JSON.stringify`. A file is replaced by its name: `[image: photo.png]`.
 *
 * @example
 * ```ts
 * import { readToolOutput } from '@toolglot/parser/protocol'
 *
 * console.log(readToolOutput({ type: 'json', value: { celsius: 21 } }).value) // { celsius: 21 }
 * console.log(readToolOutput({ type: 'error-text', value: 'no such city' }).isError) // true
 * ```
 */
export function readToolOutput(output: unknown) {
  if (!isRecord(output)) return { value: output ?? null, isError: false }
  const { type, value = null, reason } = output
  if (type === 'text' || type === 'json') return { value, isError: false }
  if (type === 'error-text' || type === 'error-json') return { value, isError: true }
  if (type === 'execution-denied') {
    const why = typeof reason === 'string' && reason ? `: ${reason}` : ''
    return { value: `The user did not allow this call${why}`, isError: true }
  }
  if (type !== 'content') return { value: output, isError: false }
  return {
    value: Array.isArray(value) ? value.map(describeItem).join('\n') : value,
    isError: false,
  }
}

function describeItem(item: unknown): string {
  if (!isRecord(item)) return String(item)
  if (typeof item.text === 'string') return item.text
  if (!isFile(item)) return JSON.stringify(item)
  const about = [item.filename, item.mediaType].find(each => typeof each === 'string')
  return `[${isImage(item) ? 'image' : 'file'}${about ? `: ${about}` : ''}]`
}

const isFile = ({ type }: Record<string, unknown>) =>
  /^(?:media|file|image)(?:-|$)/.test(String(type))

const isImage = ({ type, mediaType }: Record<string, unknown>) =>
  /(?:^|\s)image/.test(`${type} ${mediaType}`)

/** Returns the files of a result as parts of a user message, in the shape of the same SDK. */
export function filesOfResult({ output }: ToolResult, strategy: MediaStrategy): Part[] {
  const { type, value } = asRecord(output)
  if (strategy === 'placeholder' || type !== 'content' || !Array.isArray(value)) return []
  const files = value
    .filter(isRecord)
    .filter(item => isFile(item) && (strategy === 'model' || isImage(item)))
  return files.flatMap(item => {
    const {
      url,
      mediaType = isImage(item) ? 'image/*' : 'application/octet-stream',
      ...others
    } = item
    // `data` is a string or bytes in 5 and 6, a tagged value in 7. A file part of the same SDK has
    // the same `data`.
    const { data = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined } =
      others
    return data === undefined ? [] : [{ ...others, type: 'file', mediaType, data }]
  })
}

/** Returns the result of a call that could not be read. `problem` says what was wrong with it. */
export const unreadCallOutput = (problem: string) => ({
  type: 'error-text',
  value: `This call could not be read, and nothing was done: ${problem}. Write it again.`,
})
