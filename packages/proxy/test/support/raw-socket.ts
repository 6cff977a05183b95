import { connect } from 'node:net'

/** Sends bytes to a port and returns all that comes back until the connection is closed. */
export function exchange(port: number, pieces: readonly (string | Uint8Array)[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    const received: Buffer[] = []
    socket.on('data', piece => received.push(piece))
    socket.on('error', reject)
    socket.on('close', () => resolve(Buffer.concat(received).toString('latin1')))
    for (const piece of pieces) socket.write(piece)
  })
}

/** A request as text, with a connection of its own. */
export function rawRequest(
  line: string,
  headers: Readonly<Record<string, string>>,
  body = '',
): string {
  const all = { host: '127.0.0.1', connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  const length = body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`]
  return [line, ...lines, ...length, '', body].join('\r\n')
}

export function statusOf(answer: string): number {
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0)
}
