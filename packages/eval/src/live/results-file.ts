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
  /** The last record of each run. */
  records(): RunRecord[]
  /** On disk when it returns. */
  append(record: RunRecord): void
  /** What was wrong with the file, for the user. */
  readonly warnings: readonly string[]
}

/**
 * Opens the results of earlier runs, or begins new ones. The first line contains the settings that
 * all runs share; a file with other settings is refused. Models, protocols and ablations are not
 * among them: each run has its own. A line that was cut when the program was stopped is removed, so
 * that what follows stays readable.
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
  // Settings under which nothing was run yet, as after a mistyped address, bind nobody.
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
    `${path} has results of other settings:\n${list.join('\n')}\nGive another --out.`,
  )
}

/** Files of earlier versions have one model, in the first line; the runs do not name it. */
function readOnlyTarget(line: unknown): { readonly model?: unknown; readonly baseUrl?: unknown } {
  const found = header.safeParse(line)
  return found.success ? { model: found.data.config.model, baseUrl: found.data.config.baseUrl } : {}
}

function describeForeign(path: string): string {
  return `${path} is there already, but its first line has no settings. Give another --out.`
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
