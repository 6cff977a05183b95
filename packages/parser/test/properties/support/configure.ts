import { listProtocols } from '@toolglot/parser'
import fc from 'fast-check'
import { vi } from 'vitest'

/**
 * How much the properties are exercised. The default is for CI: a fixed seed, and so few runs that
 * the folder takes no more than a minute and a half (86 s were measured, on two busy cores). For a
 * hunt: `PROPERTY_RUNS=20000 PROPERTY_SEED=7 npx vitest run packages/parser/test/properties`.
 */
const CI_RUNS = 450
const CI_SEED = 20_250_607
const MIN_RUNS = 15

export const isHunt = process.env.PROPERTY_RUNS !== undefined
const runs = Number(process.env.PROPERTY_RUNS ?? CI_RUNS)
const seed = Number(process.env.PROPERTY_SEED ?? CI_SEED)

/**
 * Runs of a property that is checked for each protocol: they share the runs, so that a new protocol
 * costs no more time.
 */
export const runsEach = runsOf(1 / listProtocols().length)

/** A share of the runs, for properties that are slower than the others. */
export function runsOf(share: number): number {
  return Math.max(MIN_RUNS, Math.ceil(runs * share))
}

fc.configureGlobal({ seed, numRuns: runsOf(1), includeErrorInReport: true })
if (isHunt) vi.setConfig({ testTimeout: 3_600_000 })
