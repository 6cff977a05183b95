import { readFileSync } from 'node:fs'
import { isatty } from 'node:tty'
import {
  formatProblem,
  handleSignals,
  type LogOutput,
  loadConfig,
  probeUpstreams,
  type ServerConfig,
  type ServingProxy,
  serveProxy,
  standardOutput,
  type UpstreamState,
} from '@toolglot/proxy/node'
import type { CommandContext } from '../command.js'
import { ExitCode, type Output } from '../terminal.js'
import { describeUpstream, describeUse } from './describe-upstream.js'
import { createReadableLog } from './readable-log.js'
import { startScreen, upstreamScreen } from './start-screen.js'

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
    reportUpstreams(config, await probeUpstreams(config.upstreams), stdout, stderr)
    return ExitCode.success
  }
  // The server must not end when the reader of its log does, as `process.stdout` would.
  const output = stdout === process.stdout ? standardOutput() : stdout
  const isTerminal = stdout.isTTY === true
  // A terminal that does not know its size says 0.
  const width = () => stdout.columns || 80
  let proxy: ServingProxy
  try {
    proxy = await serveProxy({
      config,
      load,
      output: isTerminal ? createReadableLog(output, width) : output,
    })
  } catch (error) {
    stderr.write(`toolglot: ${error instanceof Error ? error.message : String(error)}\n`)
    return ExitCode.failure
  }
  if (isTerminal) {
    void showStart(proxy.address, config, output, width())
    endWithTerminal()
  }
  const hasEndedAll = await handleSignals(proxy)
  const code = hasEndedAll ? ExitCode.success : ExitCode.failure
  setTimeout(() => process.exit(code), MAX_LINGER_MS).unref()
  return code
}

/** Stops the process when its terminal is closed: SIGHUP then does not ask for a reload. */
function endWithTerminal(): void {
  process.on('SIGHUP', () => {
    if (!isatty(1)) process.kill(process.pid, 'SIGTERM')
  })
}

/** Shows the addresses at once, and the state of the servers as soon as it is known. */
async function showStart(
  address: string,
  config: ServerConfig,
  output: LogOutput,
  width: number,
): Promise<void> {
  output.write(startScreen(address, config))
  const states = await probeUpstreams(config.upstreams)
  output.write(upstreamScreen(address, config, states, width))
}

/** A server may be started after the proxy, so one that cannot be reached is only a warning. */
function reportUpstreams(
  config: ServerConfig,
  states: readonly UpstreamState[],
  stdout: Output,
  stderr: Output,
): void {
  for (const state of states) {
    const subject = `The upstream ${JSON.stringify(state.name)} (${state.baseUrl})`
    const line = `${subject}: ${describeUpstream(state)}`
    if (state.problem === undefined) stdout.write(`${line}\n`)
    else stderr.write(`toolglot: warning: ${line}\n`)
    for (const use of describeUse(config, state))
      stderr.write(`toolglot: warning: ${subject}: ${use}\n`)
  }
}
