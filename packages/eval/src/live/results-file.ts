import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { z } from 'zod'
import { isRecord } from '../is-record.js'
import { isEqualJson } from './json.js'
import type { RunConfig } from './options.js'
import { keyOf, type RunRecord, runRecord } from './record.js'
import { UsageError } from './usage-error.js'

const header = z.object({ type: z.literal('config'), config: z.record(z.string(), z.unknown()) })

export interface ResultsFile {
  /** Returns the last record of each run. */
  records(): RunRecord[]
  /** Adds a record; it is on disk when this returns. */
  append(record: RunRecord): void
  /** Messages about problems with the file. */
  readonly warnings: readonly string[]
}

/**
 * Opens the results of earlier runs, or creates new ones. The first line contains the settings that
 * all runs share; a file with different settings is refused. Models, protocols and ablations are
 * part of each run instead. A last line that was cut when the program stopped is removed, so that
 * the lines after it can be read.
 */
export function openResultsFile(
  path: string,
  config: RunConfig,
  redact: (text: string) => string,
): ResultsFile {
  const warnings: string[] = []
  const records = new Map<string, RunRecord>()
  const own: unknown = JSON.parse(JSON.stringify(config))
  const write = (line: object) =>
    appendFileSync(path, `${JSON.stringify(line, redactStrings(redact))}\n`)

  const bytes = existsSync(path) ? readFileSync(path) : Buffer.alloc(0)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) {
    warnings.push(`The last line of ${path} was cut off; that run is made again.`)
    truncateSync(path, end)
  }
  const lines = bytes.subarray(0, end).toString('utf8').split('\n').filter(Boolean)
  const [first, ...rest] = lines.map(parse)
  // A file without runs, as after a wrong URL, may be overwritten with other settings.
  let hasHeader = rest.length > 0
  if (hasHeader) checkHeader(first, own, path)
  else if (lines.length && !header.safeParse(first).success)
    throw new UsageError(describeForeign(path))

  const onlyTarget = readOnlyTarget(first)
  let unreadable = 0
  for (const line of rest) {
    const record = runRecord.safeParse(isRecord(line) ? { ...onlyTarget, ...line } : line)
    if (record.success) records.set(keyOf(record.data), record.data)
    else unreadable++
  }
  if (unreadable)
    warnings.push(`${path} has ${unreadable} lines that cannot be read; those runs are made again.`)

  return {
    warnings,
    records: () => [...records.values()],
    append(record) {
      records.set(keyOf(record), record)
      if (!hasHeader) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, '')
        write({ type: 'config', config })
        hasHeader = true
      }
      write(record)
    },
  }
}

function checkHeader(line: unknown, own: unknown, path: string): void {
  const found = header.safeParse(line)
  if (!found.success) throw new UsageError(describeForeign(path))
  const { model: _model, baseUrl: _baseUrl, ...theirs } = found.data.config
  const ours = isRecord(own) ? own : {}
  const keys = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  const different = keys.filter(key => !isEqualJson(ours[key], theirs[key]))
  if (different.length === 0) return
  const show = (value: unknown) => (value === undefined ? 'not set' : JSON.stringify(value))
  const list = different.map(key => `  ${key}: ${show(theirs[key])} there, ${show(ours[key])} now`)
  throw new UsageError(
    `${path} has results with different settings:\n${list.join('\n')}\nChoose another --out.`,
  )
}

/** Reads the model of the first line. In files of earlier versions the runs do not name it. */
function readOnlyTarget(line: unknown): { readonly model?: unknown; readonly baseUrl?: unknown } {
  const found = header.safeParse(line)
  return found.success ? { model: found.data.config.model, baseUrl: found.data.config.baseUrl } : {}
}

function describeForeign(path: string): string {
  return `${path} exists, but its first line has no settings. Choose another --out.`
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function redactStrings(redact: (text: string) => string) {
  return (_key: string, value: unknown) => (typeof value === 'string' ? redact(value) : value)
}
