const seed = Number(process.env.PROPERTY_SEED ?? 20_261_116)

/**
 * What is tried is the same in each run of CI. For a hunt: `PROPERTY_RUNS=6000 PROPERTY_SEED=7`, as
 * in the parser's tests.
 */
export function propertyRuns(numRuns: number) {
  return { seed, numRuns: Number(process.env.PROPERTY_RUNS ?? numRuns) }
}
