import { once } from 'node:events'
import { connect } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { type BodyReader, createDirectResponse, type Piece } from '../../src/http/direct-body.js'
import { createByteQueue } from '../../src/node/byte-queue.js'
import { createHttpServer } from '../../src/node/http-server.js'
import { until } from '../support/raw-client.js'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

async function startServer(handle: (request: Request) => Response | Promise<Response>) {
  const server = createHttpServer(async request => handle(request), {}).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

/** A body of these pieces, which then ends or breaks. */
function bodyOf(pieces: readonly Piece[], error?: Error): BodyReader<Piece> {
  let next = 0
  return {
    read({ take, fail }) {
      const isOver = next >= pieces.length
      queueMicrotask(() => (isOver && error ? fail(error) : take(pieces[next++])))
    },
    cancel() {},
  }
}

const urlOf = (port: number) => `http://127.0.0.1:${port}/`

describe('a server on Node', () => {
  it('writes status, headers, each cookie, and a body of texts and bytes', async () => {
    const headers = new Headers({ 'x-one': 'é' })
    headers.append('set-cookie', 'a=1')
    headers.append('set-cookie', 'b=2')
    const port = await startServer(() =>
      createDirectResponse(bodyOf(['data: a\n\n', new TextEncoder().encode('für')]), {
        status: 201,
        headers,
      }),
    )
    const answer = await fetch(urlOf(port))
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-one')).toBe('é')
    expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await answer.text()).toBe('data: a\n\nfür')
  })

  it('leaves the platform’s Request and Response as they are', async () => {
    const own = [globalThis.Request, globalThis.Response]
    const port = await startServer(() => new Response('as ever'))
    expect(await (await fetch(urlOf(port))).text()).toBe('as ever')
    expect([globalThis.Request, globalThis.Response]).toEqual(own)
  })

  it('sends the head before the first piece', async () => {
    const queue = createByteQueue({ maxBytes: 9, onFree() {}, onCancel() {} })
    const port = await startServer(() => createDirectResponse(queue, { status: 200 }))
    const answer = await fetch(urlOf(port))
    expect(answer.status).toBe(200)
    queue.end()
    expect(await answer.text()).toBe('')
  })

  it('keeps the connection for the next request', async () => {
    const port = await startServer(() => createDirectResponse(bodyOf(['ok']), { status: 200 }))
    const socket = connect(port, '127.0.0.1')
    let seen = ''
    socket.on('data', data => {
      seen += data
    })
    for (let asked = 1; asked <= 3; asked++) {
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await until(() => seen.split('\r\n2\r\nok\r\n0\r\n\r\n').length === asked + 1)
    }
    socket.destroy()
  })

  it('writes no body in answer to HEAD', async () => {
    const port = await startServer(() => createDirectResponse(bodyOf(['body']), { status: 200 }))
    const answer = await fetch(urlOf(port), { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  it('reads no more than the client takes, and all of it in the end', async () => {
    const piece = new Uint8Array(65_536)
    const pieces = 600
    let read = 0
    const body: BodyReader<Piece> = {
      read: ({ take }) => queueMicrotask(() => take(read++ < pieces ? piece : undefined)),
      cancel() {},
    }
    const port = await startServer(() => createDirectResponse(body, { status: 200 }))
    const answer = await fetch(urlOf(port))
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(read).toBeLessThan(pieces / 2)
    expect((await answer.arrayBuffer()).byteLength).toBe(pieces * piece.length)
  })

  it('cuts the connection if the body breaks, and prints nothing', async () => {
    const printed = vi.spyOn(console, 'error')
    const port = await startServer(() =>
      createDirectResponse(bodyOf(['half'], new Error('broken')), { status: 200 }),
    )
    const answer = await fetch(urlOf(port))
    await expect(answer.text()).rejects.toThrow('terminated')
    expect(printed).not.toHaveBeenCalled()
    printed.mockRestore()
  })

  it.each(['before the answer', 'while it waits for a piece'])(
    'stops reading when the client goes away %s',
    async when => {
      let cancelled = 0
      const queue = createByteQueue({ maxBytes: 9, onFree() {}, onCancel: () => cancelled++ })
      let asked: Request | undefined
      let begin = () => {}
      const mayBegin = new Promise<void>(resolve => {
        begin = resolve
      })
      const port = await startServer(async request => {
        asked = request
        if (when === 'before the answer') await mayBegin
        return createDirectResponse(queue, { status: 200 })
      })
      const socket = connect(port, '127.0.0.1')
      socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
      if (when === 'before the answer') await until(() => asked !== undefined)
      else await once(socket, 'data')
      const gone = new Promise(resolve => asked?.signal.addEventListener('abort', resolve))
      socket.destroy()
      await gone
      begin()
      await until(() => cancelled > 0)
    },
  )
})
