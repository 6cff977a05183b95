// All built-in formats. A bundler leaves out those that are not imported.
export * from './gemma.js'
export * from './json.js'
export { minimaxM3 } from './minimax-m3.js'
export * from './named-json.js'
export * from './own.js'
export * from './pythonic.js'
export * from './tagged.js'
