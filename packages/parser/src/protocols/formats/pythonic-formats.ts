import type { ModelFormat } from '../model-format.js'

/** Formats that write calls as Python does. */
export const pythonicFormats: readonly ModelFormat[] = []
