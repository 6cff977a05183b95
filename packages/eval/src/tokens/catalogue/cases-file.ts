import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { UsageError } from '../usage-error.js'
import type { Catalogue } from './case.js'

const casesFile = z.object({
  tools: z
    .array(
      z.object({
        name: z.string().min(1),
        description: z.string().optional(),
        inputSchema: z.record(z.string(), z.unknown()),
      }),
    )
    .min(1),
  cases: z
    .array(
      z.object({
        name: z.string().min(1),
        tool: z.string().min(1),
        args: z.record(z.string(), z.unknown()),
        group: z.string().min(1).default('all'),
      }),
    )
    .min(1),
})

/**
 * Reads `{ tools: [{ name, description, inputSchema }], cases: [{ name, tool, args }] }`. Other
 * fields are ignored.
 */
export async function readCasesFile(path: string): Promise<Catalogue> {
  const parsed = casesFile.safeParse(await readJson(path))
  if (!parsed.success)
    throw new UsageError(`${path} is not a file of cases:\n${z.prettifyError(parsed.error)}`)
  const { tools, cases } = parsed.data
  const toolNames = new Set(tools.map(({ name }) => name))
  const caseNames = new Set<string>()
  for (const { name, tool } of cases) {
    if (!toolNames.has(tool))
      throw new UsageError(
        `${path}: the case ${JSON.stringify(name)} calls ${tool}, which is not one of the tools.`,
      )
    if (caseNames.has(name))
      throw new UsageError(`${path}: there are two cases named ${JSON.stringify(name)}.`)
    caseNames.add(name)
  }
  return {
    tools: tools.map(tool => ({ type: 'function', ...tool })),
    cases: cases.map(({ name, group, tool, args }) => ({
      name,
      group,
      calls: [{ toolName: tool, args }],
    })),
  }
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw new UsageError(
      `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
