import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../live/json.js'
import type { Task } from '../live/task.js'
import { UsageError } from '../live/usage-error.js'
import { createRandom, sample } from '../random.js'
import {
  type BfclQuestion,
  type BfclTruth,
  bfclAnswer,
  bfclCategories,
  bfclQuestion,
} from './bfcl-entry.js'
import { toTask } from './to-task.js'

export interface BfclOptions {
  /** The most tasks of a category. */
  readonly limit?: number | undefined
  readonly seed: number
}

export interface BfclTasks {
  readonly tasks: readonly Task[]
  /** Messages about files that were found but not used. */
  readonly notes: readonly string[]
}

/**
 * Reads the leaderboard's files from a directory: `BFCL_v3_*.json` or `BFCL_v4_*.json`, and the
 * directory `possible_answer/`.
 */
export function loadBfclTasks(directory: string, { limit, seed }: BfclOptions): BfclTasks {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) {
    throw new UsageError(`--bfcl: the directory ${directory} does not exist.`)
  }
  const { files, ignored } = findFiles(directory)
  if (files.size === 0) {
    throw new UsageError(
      `--bfcl: ${directory} contains no known files. Expected files like BFCL_v4_simple_python.json, with one of the categories: ${[...bfclCategories.keys()].join(', ')}.`,
    )
  }
  const tasks = [...files].flatMap(([category, file]) => {
    const questions = readLines(join(directory, file), bfclQuestion)
    const chosen =
      limit === undefined
        ? questions
        : sample(questions, limit, createRandom(`${seed}/bfcl/${category}`))
    const truths = readTruths(directory, file, category)
    return chosen.map(question => makeTask(question, category, truths, file))
  })
  const notes = ignored.length ? [`Not used: ${ignored.join(', ')}.`] : []
  return { tasks, notes }
}

/** Finds the file of each category. Of two versions the newer one is used. */
function findFiles(directory: string): { files: Map<string, string>; ignored: string[] } {
  const found = readdirSync(directory)
    .flatMap(file => {
      const [, version, category] = /^BFCL_v(\d+)_(.+)\.jsonl?$/.exec(file) ?? []
      return version && category ? [{ file, version: Number(version), category }] : []
    })
    .sort((a, b) => a.version - b.version)
  const files = new Map<string, string>()
  const ignored: string[] = []
  for (const { file, category } of found) {
    // Version 4 uses a different name for the same questions.
    const key = category === 'simple' ? 'simple_python' : category
    const older = files.get(key)
    if (older) ignored.push(older)
    if (bfclCategories.has(category)) files.set(key, file)
    else ignored.push(file)
  }
  return { files, ignored }
}

function readTruths(
  directory: string,
  file: string,
  category: string,
): ReadonlyMap<string, BfclTruth[]> {
  if (bfclCategories.get(category) !== 'calls') return new Map()
  const path = join(directory, 'possible_answer', file)
  if (!existsSync(path))
    throw new UsageError(`--bfcl: the answers are missing: the file ${path} does not exist.`)
  return new Map(readLines(path, bfclAnswer).map(({ id, ground_truth }) => [id, ground_truth]))
}

function makeTask(
  question: BfclQuestion,
  category: string,
  truths: ReadonlyMap<string, BfclTruth[]>,
  file: string,
): Task {
  const rule = bfclCategories.get(category) ?? 'calls'
  const truth = truths.get(question.id)
  if (rule === 'calls' && !truth) {
    throw new UsageError(`--bfcl: possible_answer/${file} has no answer for ${question.id}.`)
  }
  return toTask({ question, category, rule, truths: truth ?? [] })
}

/** Reads JSON lines, as the leaderboard has them, or one JSON list. */
function readLines<Entry>(path: string, schema: z.ZodType<Entry>): Entry[] {
  const text = readFileSync(path, 'utf8').trim()
  if (text.startsWith('[')) return z.array(schema).parse(parse(text, path))
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === '') return []
    const entry = schema.safeParse(parse(line, `${path}:${i + 1}`))
    if (entry.success) return [entry.data]
    throw new UsageError(
      `--bfcl: ${path}:${i + 1} does not have the expected form: ${z.prettifyError(entry.error)}`,
    )
  })
}

function parse(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`--bfcl: ${where} is not JSON: ${messageOf(error)}`)
  }
}
