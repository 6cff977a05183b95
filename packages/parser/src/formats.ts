/**
 * The built-in formats, each by itself. A bundle contains only the formats that are imported.
 *
 * @module formats
 */

export * from './formats/catalogue.js'
export type { ModelFormat } from './formats/model-format.js'
export { createFormatMiddleware } from './middleware/format-middleware.js'
