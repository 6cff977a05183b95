import { benchProtocols } from '../bench-protocols.js'
import type { Prices } from './break-even.js'
import { readPublicCases } from './catalogue/public-cases.js'
import { createContestants } from './contestant.js'
import type { PublicResult } from './public-tables.js'
import { runTokens } from './run-tokens.js'

/**
 * Counts the public cases, and adds the published figures. Every case is read back first.
 */
export async function runPublicCases(
  prices: Prices,
  protocols: readonly string[] = benchProtocols(),
): Promise<PublicResult> {
  const { catalogue, natives, published } = await readPublicCases()
  const contestants = await createContestants(catalogue.tools, protocols, natives)
  return { published, ...(await runTokens(catalogue, prices, contestants)) }
}
