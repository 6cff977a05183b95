import type { UpstreamConfig } from '../config.js'
import { probeUpstream, type UpstreamState } from '../upstream/probe-upstream.js'
import { createPatientFetch } from './patient-fetch.js'

/** Asks all servers for their models at the same time, with the `fetch` that requests use. */
export function probeUpstreams(upstreams: readonly UpstreamConfig[]): Promise<UpstreamState[]> {
  const fetch = createPatientFetch()
  return Promise.all(upstreams.map(upstream => probeUpstream(upstream, { fetch })))
}
