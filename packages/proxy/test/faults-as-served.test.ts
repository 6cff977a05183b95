import { createPatientFetch } from '../src/node/patient-fetch.js'
import { askWith } from './support/proxy-server.js'

// The same faults once more, with the fetch that asks where the proxy is served on Node.
askWith(createPatientFetch())
await import('./faults-upstream.test.js')
await import('./faults-cut.test.js')
await import('./faults-client.test.js')
