import type { ModelFormat } from '../model-format.js'

/** Formats that hold a call as one JSON object, between marks of their own or bare. */
export const jsonFormats: readonly ModelFormat[] = []
