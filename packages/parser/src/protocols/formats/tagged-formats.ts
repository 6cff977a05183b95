import type { ModelFormat } from '../model-format.js'

/** Formats that write each argument as raw text between tags. */
export const taggedFormats: readonly ModelFormat[] = []
