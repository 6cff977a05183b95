import type { AddressInfo, Server } from 'node:net'

/** A running server. */
export interface Running {
  /** The URL with its path: `http://127.0.0.1:1234/v1`. */
  readonly url: string
  /** Returns what its process has used so far. */
  usage(): Promise<Usage>
  close(): Promise<void>
}

export interface Usage {
  readonly cpuMs: number
  readonly rssBytes: number
  readonly heapBytes: number
}

/** Waits until a server listens on a free port of the loopback interface. */
export async function listen(
  server: Pick<Server, 'listen' | 'listening' | 'address' | 'close' | 'once'> & {
    closeAllConnections?(): void
  },
): Promise<Running> {
  if (!server.listening) {
    server.listen(0, '127.0.0.1')
    await new Promise<void>(resolve => server.once('listening', resolve))
  }
  return {
    url: `http://127.0.0.1:${portOf(server.address())}/v1`,
    usage: async () => readUsage(),
    async close() {
      const closed = new Promise(resolve => server.once('close', resolve))
      server.close()
      server.closeAllConnections?.()
      await closed
    },
  }
}

export function readUsage(): Usage {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { cpuMs: (user + system) / 1000, rssBytes: rss, heapBytes: heapUsed }
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address ? address.port : 0
}
