import type { ProxyConfig } from './config.js'
import type { ArrivingBodies } from './http/arriving-bodies.js'
import type { Metrics } from './http/metrics.js'
import type { RequestRecord } from './request-record.js'
import type { ResponseStore } from './store/response-store.js'
import type { CallUpstream } from './upstream/call-upstream.js'

export interface ProxyOptions {
  /** Sends the requests to the upstream servers. Default: the platform's own `fetch`. */
  readonly fetch?: typeof fetch
  /**
   * True if `fetch` does not decode the answer to a request that has an `accept-encoding`, so that
   * encoded answers (gzip) are passed through as they are. The platform's own `fetch` decodes all.
   * Default: no.
   */
  readonly keepsEncoding?: boolean
  /** Called with the record of each request when its answer has ended. */
  readonly onRequest?: (record: RequestRecord) => void
  /** Called when a request begins: whether its record shall contain the answer. Default: no. */
  readonly hasAnswers?: () => boolean
  /**
   * Where the responses of `/v1/responses` are stored. Proxies that share one can continue the
   * responses of each other. Default: in memory, within the limits of the configuration.
   */
  readonly store?: ResponseStore
  /** How long a request waits for the store. Default: 5000. */
  readonly storeTimeoutMs?: number
}

/** State that all requests of one proxy share. */
export interface ProxyState {
  /** The configuration for the next request. Requests that have begun keep theirs. */
  config: ProxyConfig
  /** Requests that are being answered. */
  active: number
  /** The proxy is shutting down and refuses new requests. */
  isDraining: boolean
  /** The proxy cuts the connections of its clients, so that it is not them who are gone. */
  isCutOff: boolean
  readonly options: ProxyOptions
  readonly metrics: Metrics
  readonly arrivingBodies: ArrivingBodies
  readonly fetchUpstream: typeof fetch
  readonly callUpstream: CallUpstream
  readonly store: ResponseStore
  /** Operations of the store that were given up and have not ended. */
  readonly lateStoreOperations: Set<symbol>
}
