import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** Debian keeps it where only root looks. */
const path = `${process.env.PATH ?? ''}:/usr/sbin:/usr/local/sbin`

export const hasNginx = spawnSync('nginx', ['-v'], { env: { PATH: path } }).status === 0

/** A real nginx with the file of `deploy/`, in which only ports and folders are others. */
export async function startNginx(ports: readonly [number, number]) {
  const folder = mkdtempSync(join(tmpdir(), 'toolglot-nginx-'))
  const port = await freePort()
  const deployed = readFileSync(new URL('../../../../deploy/nginx.conf', import.meta.url), 'utf8')
  const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const text = deployed
    .replace('listen 127.0.0.1:4140;', `listen 127.0.0.1:${port};`)
    .replace('127.0.0.1:4141', `127.0.0.1:${ports[0]}`)
    .replace('127.0.0.1:4142', `127.0.0.1:${ports[1]}`)
    .replace(
      'http {',
      `http {\naccess_log off;\n${kinds.map(kind => `${kind}_temp_path "${folder}/${kind}";`).join('\n')}`,
    )
  // Processes of root would give up their rights, and then not reach the folder.
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off;\n${user}pid "${folder}/pid";\nerror_log stderr;\n${text}`,
  )
  const child = spawn('nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], {
    env: { PATH: path },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    stderr += piece
  })
  const exit = once(child, 'exit')
  const origin = `http://127.0.0.1:${port}`
  await untilUp(`${origin}/metrics`, () => child.exitCode !== null && `nginx ended: ${stderr}`)
  return {
    origin,
    async close() {
      child.kill('SIGTERM')
      await exit
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Waits until a server answers; fails with the reason if it never will. */
export async function untilUp(url: string, whyNever: () => string | false): Promise<void> {
  for (let i = 0; ; i++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    )
    if (isUp) return
    const reason = whyNever() || (i > 200 && `nobody answers at ${url}`)
    if (reason) throw new Error(reason)
    await sleep(50)
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
