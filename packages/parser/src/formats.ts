// The built-in formats, each by itself: what is not imported is not bundled.
export { createFormatMiddleware } from './middleware.js'
export * from './protocols/catalogue.js'
export type { ModelFormat } from './protocols/model-format.js'
