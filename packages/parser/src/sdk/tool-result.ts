import { isRecord } from '../schema/is-record.js'
import type { Part, ToolResult } from './parts.js'

/** What to do with files in a tool's result: give them to the model, name them, or give it only what most models can see. */
export type MediaStrategy = 'model' | 'placeholder' | 'auto'

/** A tool's result in the terms that a format needs, whichever SDK it came from. */
export interface ToolOutput {
  /** A string stays one; anything else is JSON data. */
  readonly value: unknown
  readonly isError: boolean
}

/** Reads the `output` of a tool result of AI SDK 5, 6 or 7. Files are named; `filesOfResult` gets them out. */
export function readToolOutput(output: unknown): ToolOutput {
  if (!isRecord(output)) return { value: output ?? null, isError: false }
  const { type, value } = output
  switch (type) {
    case 'text':
    case 'json':
      return { value: value ?? null, isError: false }
    case 'error-text':
    case 'error-json':
      return { value: value ?? null, isError: true }
    case 'execution-denied': {
      const reason = typeof output.reason === 'string' && output.reason ? `: ${output.reason}` : ''
      return { value: `The user did not allow this call${reason}`, isError: true }
    }
    case 'content':
      return { value: Array.isArray(value) ? value.map(describeItem).join('\n') : (value ?? null), isError: false }
    default:
      return { value: output, isError: false }
  }
}

function describeItem(item: unknown): string {
  if (!isRecord(item)) return String(item)
  if (typeof item.text === 'string') return item.text
  if (isFileItem(item)) return `[${describeFile(item)}]`
  return JSON.stringify(item)
}

function describeFile(item: Record<string, unknown>): string {
  const kind = isImage(item) ? 'image' : 'file'
  const type = typeof item.mediaType === 'string' ? `: ${item.mediaType}` : ''
  return typeof item.filename === 'string' ? `${kind}: ${item.filename}` : `${kind}${type}`
}

function isFileItem(item: Record<string, unknown>): boolean {
  return /^(?:media|file|image)(?:-|$)/.test(String(item.type))
}

function isImage(item: Record<string, unknown>): boolean {
  return String(item.type).startsWith('image') || String(item.mediaType).startsWith('image/')
}

/** The files of a result as parts of a user message, in the shape of the SDK that the result came from. */
export function filesOfResult(result: ToolResult, strategy: MediaStrategy): Part[] {
  const { output } = result
  if (strategy === 'placeholder' || !isRecord(output) || output.type !== 'content' || !Array.isArray(output.value))
    return []
  return output.value.flatMap((item: unknown) => {
    if (!isRecord(item) || !isFileItem(item) || (strategy === 'auto' && !isImage(item))) return []
    const file = fileOfItem(item)
    return file ? [file] : []
  })
}

function fileOfItem(item: Record<string, unknown>): Part | undefined {
  const mediaType =
    typeof item.mediaType === 'string' ? item.mediaType : isImage(item) ? 'image/*' : 'application/octet-stream'
  // `data` is a string or bytes in 5 and 6, a tagged value in 7: either is what a file part of the same SDK holds.
  const data = 'data' in item ? item.data : typeof item.url === 'string' ? parseUrl(item.url) : undefined
  if (data === undefined) return undefined
  const file = {
    type: 'file',
    mediaType,
    data,
    ...(typeof item.filename === 'string' ? { filename: item.filename } : {}),
    ...(isRecord(item.providerOptions) ? { providerOptions: item.providerOptions } : {}),
  }
  return file
}

function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
