import type { ModelFormat } from '../model-format.js'

/** Formats that write the tool's name in their markup and the arguments as JSON behind it. */
export const namedJsonFormats: readonly ModelFormat[] = []
