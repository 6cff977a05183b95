// Serves the handler with Node. Bun, Deno and Cloudflare run handler.js itself.
import { serve } from '@hono/node-server'
import handler from './handler.js'

const port = Number(process.env.PORT ?? 3000)
serve({ fetch: request => handler.fetch(request), port }, () =>
  console.log(`Listening on http://localhost:${port}`),
)
