export { createProxy } from './create-proxy.js'
