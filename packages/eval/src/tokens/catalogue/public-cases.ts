import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { Baseline } from '../native/baseline.js'
import { baselines } from '../native/baselines.js'
import { publishedJson } from '../native/published-json.js'
import type { Catalogue } from './case.js'
import { readCasesFile } from './cases-file.js'

/**
 * Tools, calls and figures that `ai-sdk-wire-middleware` has published. Its licence (MIT) is next to
 * the file.
 */
const path = fileURLToPath(new URL('../../../data/public-cases/cases.json', import.meta.url))

/** Token counts with `o200k_base`, as published. */
export interface PublishedCounts {
  readonly calls: number
  /** Tokens of the tool definitions, or of the manual that replaces them. */
  readonly manual: number
  readonly cases: Readonly<Record<string, number>>
}

export interface Published {
  readonly source: string
  /** JSON in the form of an API. */
  readonly native: PublishedCounts
  /** The compact syntax of that package. */
  readonly compact: PublishedCounts
}

export interface PublicCases {
  readonly catalogue: Catalogue
  readonly published: Published
  /** The native shapes to count: those of this project, then the published one. */
  readonly natives: readonly Baseline[]
}

const publishedFile = z.object({
  source: z.string(),
  published: z.object({
    nativeCalls: z.number(),
    wireCalls: z.number(),
    nativeDefinitions: z.number(),
    wireManual: z.number(),
  }),
  cases: z.array(z.object({ name: z.string(), nativeTokens: z.number(), wireTokens: z.number() })),
})

/** Reads the nineteen public cases and their published figures. */
export async function readPublicCases(): Promise<PublicCases> {
  const { source, published, cases } = publishedFile.parse(JSON.parse(await readFile(path, 'utf8')))
  return {
    catalogue: await readCasesFile(path),
    published: {
      source,
      native: {
        calls: published.nativeCalls,
        manual: published.nativeDefinitions,
        cases: Object.fromEntries(cases.map(({ name, nativeTokens }) => [name, nativeTokens])),
      },
      compact: {
        calls: published.wireCalls,
        manual: published.wireManual,
        cases: Object.fromEntries(cases.map(({ name, wireTokens }) => [name, wireTokens])),
      },
    },
    natives: [...baselines, publishedJson],
  }
}
