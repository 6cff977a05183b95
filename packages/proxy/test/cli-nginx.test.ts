import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askChat, textOfStream } from './support/ask-chat.js'
import { type ScriptedUpstream, startScriptedUpstream } from './support/scripted-upstream.js'
import { type CliProcess, spawnCli } from './support/spawn-cli.js'
import { hasNginx, startNginx } from './support/start-nginx.js'

/** A text that is another for each model, so that streams that are mixed up are noticed. */
const answerOf = (model: string) =>
  Array.from({ length: 12 }, (_, i) => digest(`${model} ${i}`)).join(' ')
const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16)

// `.ci/run` installs nginx where it can.
describe.skipIf(!hasNginx)(
  `two proxies behind nginx${hasNginx ? '' : ' (skipped: nginx is not installed)'}`,
  () => {
    let upstream: ScriptedUpstream
    let nginx: Awaited<ReturnType<typeof startNginx>>
    let first: CliProcess
    let second: CliProcess
    const requestsOf = (cli: CliProcess) => cli.log().filter(({ msg }) => msg === 'request')
    const ask = async (model: string) => {
      const response = await askChat(nginx.origin, { model, stream: true })
      return { status: response.status, text: textOfStream(await response.text()) }
    }

    beforeAll(async () => {
      upstream = await startScriptedUpstream({
        script: ({ body }) => ({ text: answerOf(body.model) }),
        chunkChars: 8,
        delayMs: 30,
      })
      const start = () => spawnCli(['proxy', '--port', '0', '--upstream', upstream.baseUrl])
      first = start()
      second = start()
      const portOf = async (cli: CliProcess) =>
        Number(new URL(String((await cli.line('listening')).address)).port)
      nginx = await startNginx([await portOf(first), await portOf(second)])
    }, 60_000)
    afterAll(async () => {
      await nginx?.close()
      for (const { child, exit } of [first, second]) {
        child.kill('SIGKILL')
        await exit
      }
      await upstream?.close()
    })

    it('share the requests, and no stream is lost or mixed up', async () => {
      const models = Array.from({ length: 24 }, (_, i) => `plain-${i}`)
      const answers = await Promise.all(models.map(ask))
      expect(answers).toEqual(models.map(model => ({ status: 200, text: answerOf(model) })))
      await Promise.all([first.line('request'), second.line('request')])
      const counts = [requestsOf(first).length, requestsOf(second).length]
      expect(Math.min(...counts)).toBeGreaterThanOrEqual(6)
    })

    it('send pieces on as they come', async () => {
      const response = await askChat(nginx.origin, { model: 'plain-pieces', stream: true })
      /** For each piece: the server was still writing when it arrived. */
      const arrivals: boolean[] = []
      if (!response.body) throw new Error('There is no body.')
      for await (const _ of response.body) arrivals.push(upstream.active() > 0)
      expect(arrivals.length).toBeGreaterThan(5)
      expect(arrivals[0]).toBe(true)
    })

    it('hand the id of a request on to the log, and keep their counters to themselves', async () => {
      expect(requestsOf(first)[0]?.id).toMatch(/^[0-9a-f]{32}$/)
      expect((await fetch(`${nginx.origin}/metrics`)).status).toBe(404)
      expect((await fetch(`${nginx.origin}/ready`)).status).toBe(200)
    })

    it('let one of them be stopped under load, and nobody notices', async () => {
      const before = Array.from({ length: 12 }, (_, i) => `plain-before-${i}`)
      const open = before.map(ask)
      while (upstream.active() < before.length) await new Promise(resolve => setTimeout(resolve, 5))
      first.child.kill('SIGTERM')
      await first.line('shutting down')
      const after = Array.from({ length: 12 }, (_, i) => `plain-after-${i}`)
      const answers = await Promise.all([...open, ...after.map(ask)])
      expect(answers).toEqual(
        [...before, ...after].map(model => ({ status: 200, text: answerOf(model) })),
      )
      expect(await first.exit).toBe(0)
    })
  },
)
