import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'

export const resultsDirectory = new URL('../../results/live/', import.meta.url)

/** The lines of the template: `- Model: <its full name …>`. */
const template = readFileSync(new URL('TEMPLATE.md', resultsDirectory), 'utf8')
export const fields = [...template.matchAll(/^- (\w[\w ]*): (<.*>)$/gm)].map(
  ([, name = '', hint = '']) => ({ name, hint }),
)

const share = z.object({ passed: z.number(), total: z.number().positive() })
const summary = z.object({
  isInterrupted: z.literal(false),
  rows: z.array(z.object({ label: z.string(), model: z.string(), accuracy: share })).min(1),
})

/** Returns what is wrong with a contributed result: a directory with README.md and summary.json. */
export function findProblems(directory: string): string[] {
  const page = read(join(directory, 'README.md'))
  const data = read(join(directory, 'summary.json'))
  if (page === undefined || data === undefined) return ['README.md or summary.json is missing']
  return [...findPageProblems(page), ...findSummaryProblems(data)]
}

function findPageProblems(page: string): string[] {
  return fields.flatMap(({ name, hint }) => {
    const value = new RegExp(`^- ${name}:(.*)$`, 'm').exec(page)?.[1]?.trim()
    if (value === undefined) return [`README.md has no line "- ${name}:"`]
    return value === '' || value === hint ? [`README.md: "${name}" is not filled in`] : []
  })
}

function findSummaryProblems(data: string): string[] {
  try {
    const found = summary.safeParse(JSON.parse(data))
    if (found.success) return []
    return found.error.issues.map(
      ({ path, message }) => `summary.json: ${path.join('.')}: ${message}`,
    )
  } catch (error) {
    return [`summary.json is not JSON: ${error}`]
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
