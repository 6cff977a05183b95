// The built-in formats, each by itself: what is not imported is not bundled.

export * from './formats/catalogue.js'
export type { ModelFormat } from './formats/model-format.js'
export { createFormatMiddleware } from './middleware/format-middleware.js'
