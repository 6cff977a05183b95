export { ruleFor, upstreamFor } from './config.js'
export { type ConfigFlags, type LoadConfigOptions, loadConfig } from './config-file/load-config.js'
export { type ConfigProblem, formatProblem } from './config-file/problem.js'
export {
  type ReadConfigOptions,
  type ReadConfigResult,
  readConfig,
} from './config-file/read-config.js'
export { logLevels, modes } from './config-file/schema.js'
export type {
  LogLevel,
  Overrides,
  ServerConfig,
  ServerLimits,
} from './config-file/server-config.js'
export { handleSignals, type SignalOptions } from './node/handle-signals.js'
export { type LogOutput, standardOutput } from './node/log.js'
export { probeUpstreams } from './node/probe-upstreams.js'
export { type ServeOptions, type ServingProxy, serveProxy } from './node/serve-proxy.js'
export type { UpstreamState } from './upstream/probe-upstream.js'
