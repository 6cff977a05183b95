export {
  defaultLimits,
  defaultRule,
  type Limits,
  type ModelRule,
  type ProxyConfig,
  type UpstreamConfig,
} from './config.js'
export { createProxy, type Proxy, type ProxyOptions, type RequestRecord } from './create-proxy.js'
export { HttpError } from './http/http-error.js'
