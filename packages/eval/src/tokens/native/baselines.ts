import type { Baseline } from './baseline.js'
import { harmony } from './harmony.js'
import { anthropicJson, bareJson, openaiJson } from './json-shapes.js'

/** The baselines of the protocols, from the longest to the shortest. */
export const baselines: readonly Baseline[] = [openaiJson, anthropicJson, harmony, bareJson]
