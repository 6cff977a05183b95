export {
  defaultLimits,
  defaultRule,
  defaultStore,
  type Limits,
  type ModelRule,
  type ProxyConfig,
  type StoreLimits,
  type UpstreamConfig,
} from './config.js'
export { createProxy, type Proxy } from './create-proxy.js'
export { HttpError } from './http/http-error.js'
export type { ProxyOptions } from './proxy-state.js'
export type { RequestRecord } from './request-record.js'
export type { ResponseStore } from './store/response-store.js'
