import { readFileSync } from 'node:fs'
import {
  formatProblem,
  handleSignals,
  loadConfig,
  type ServingProxy,
  serveProxy,
} from '@toolglot/proxy/node'
import type { CommandContext } from '../command.js'
import { ExitCode } from '../terminal.js'

type ProxyFlag =
  | 'config'
  | 'upstream'
  | 'upstream-key-env'
  | 'host'
  | 'port'
  | 'insecure'
  | 'protocol'
  | 'mode'
  | 'reasoning'
  | 'api-key-env'
  | 'drain'
  | 'log-level'
  | 'log-bodies'
  | 'check'

/** How long an open handle may keep the process alive after the port is free. */
const MAX_LINGER_MS = 1000

/**
 * Runs `toolglot proxy`: reads the configuration and serves the proxy. Resolves to the exit code
 * when it has stopped.
 */
export async function runProxy({
  env,
  stdout,
  stderr,
  flag,
  text,
}: CommandContext<ProxyFlag>): Promise<number> {
  const flags = {
    config: text('config'),
    upstream: text('upstream'),
    'upstream-key-env': text('upstream-key-env'),
    host: text('host'),
    port: text('port'),
    protocol: text('protocol'),
    mode: text('mode'),
    'api-key-env': text('api-key-env'),
    drain: text('drain'),
    'log-level': text('log-level'),
    // Without the flag the file decides.
    insecure: flag('insecure') || undefined,
    reasoning: flag('reasoning') || undefined,
    'log-bodies': flag('log-bodies') || undefined,
  }
  const load = () => loadConfig({ flags, env, readFile: name => readFileSync(name, 'utf8') })
  const { config, problems } = load()
  if (!config) {
    for (const problem of problems) stderr.write(`toolglot: ${formatProblem(problem)}\n`)
    return ExitCode.usage
  }
  if (flag('check')) {
    stdout.write('The configuration is valid.\n')
    return ExitCode.success
  }
  let proxy: ServingProxy
  try {
    // The server must not end when the reader of its log does, as `process.stdout` would.
    const output = stdout === process.stdout ? undefined : stdout
    proxy = await serveProxy({ config, load, output })
  } catch (error) {
    stderr.write(`toolglot: ${error instanceof Error ? error.message : String(error)}\n`)
    return ExitCode.failure
  }
  const hasEndedAll = await handleSignals(proxy)
  const code = hasEndedAll ? ExitCode.success : ExitCode.failure
  setTimeout(() => process.exit(code), MAX_LINGER_MS).unref()
  return code
}
