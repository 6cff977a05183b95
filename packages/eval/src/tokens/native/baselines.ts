import type { Baseline } from './baseline.js'
import { harmony } from './harmony.js'
import { anthropicJson, bareJson, openaiJson } from './json-shapes.js'

/**
 * The baselines of the protocols. The first two lead every table: what JSON takes at least, and what
 * a model is known to write itself. The shapes of APIs come after them (decision 98).
 */
export const baselines: readonly Baseline[] = [bareJson, harmony, anthropicJson, openaiJson]
