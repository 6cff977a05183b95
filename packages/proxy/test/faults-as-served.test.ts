import { createHttpServer } from '../src/node/http-server.js'
import { createPatientFetch } from '../src/node/patient-fetch.js'
import { serveWith } from './support/proxy-server.js'

// The same faults and attacks once more, asked and answered as `serveProxy` does it on Node.
serveWith({ fetch: createPatientFetch(), createHttpServer })
await import('./faults-upstream.test.js')
await import('./faults-cut.test.js')
await import('./faults-client.test.js')
await import('./attacks-bytes.test.js')
await import('./attacks-keys.test.js')
