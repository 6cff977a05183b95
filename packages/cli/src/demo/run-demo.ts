import { detectProtocol, getProtocol } from '@toolglot/parser'
import { createPalette, type Palette } from '../palette.js'
import { ExitCode, type Output, type Surroundings } from '../terminal.js'
import { showControls } from '../terminal-text.js'
import { runAgentLoop } from './agent-loop.js'
import { createColumnView } from './column-view.js'
import type { OnDemoEvent } from './demo-event.js'
import { type DemoOptions, demoHelp, parseDemoOptions } from './demo-options.js'
import { createDemoRecord, summarize } from './demo-record.js'
import { createDemoTools } from './demo-tools.js'
import { createEndpointModel, describeEndpointError } from './endpoint-model.js'
import { missingExpectations } from './expectations.js'
import { createPlainView } from './plain-view.js'
import { demoPrompt } from './script.js'
import { createScriptedModel } from './scripted-model.js'

/** Enough for the script and one mistake more; a loop that goes on longer has gone wrong. */
const MAX_STEPS = 8
/** Two columns need this much. */
const MIN_COLUMNS = 80
/** For each few characters, so that a person can follow. */
const WATCHABLE_DELAY_MS = 18

/**
 * `toolglot demo`: resolves to the exit code, which is 0 only if all happened that should. Rejects
 * with UsageError.
 */
export async function runDemo({ argv, stdout, stderr, env }: Surroundings): Promise<number> {
  const options = parseDemoOptions(argv)
  if (options.isHelp) {
    stdout.write(demoHelp)
    return ExitCode.success
  }
  const { protocolName, endpoint } = options
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb'
  const palette = createPalette(isTerminal && options.hasColor && !env.NO_COLOR)
  const protocol = getProtocol(protocolName)
  const { tools, declarations, files } = createDemoTools()
  const record = createDemoRecord()
  const view = chooseView(stdout, options, isTerminal, palette)
  const model = endpoint
    ? createEndpointModel(endpoint, env)
    : createScriptedModel({
        protocol,
        declarations,
        delayMs: isTerminal && !options.isFast ? WATCHABLE_DELAY_MS : 0,
      })
  const prompt = endpoint?.prompt ?? demoPrompt

  const modelName = endpoint ? `${endpoint.modelName} at ${endpoint.baseUrl}` : 'a script'
  const asked = detectProtocol({ modelId: endpoint?.modelName })?.protocol ?? 'hermes'
  const shownProtocol = protocolName === 'auto' ? `auto (asks in ${asked})` : protocolName
  stdout.write(
    `${palette.bold('toolglot demo')}: protocol ${shownProtocol}, model ${showControls(modelName)}\n`,
  )
  stdout.write(`${palette.dim('prompt:')} ${showControls(prompt)}\n`)
  try {
    await runAgentLoop({
      model,
      protocol: protocolName,
      tools,
      prompt,
      maxSteps: MAX_STEPS,
      onEvent: event => {
        record.onEvent(event)
        view(event)
      },
    })
  } catch (error) {
    if (!endpoint) throw error
    stderr.write(`toolglot: ${showControls(describeEndpointError(error, endpoint.baseUrl))}\n`)
    return ExitCode.failure
  }

  stdout.write(`\n${palette.bold('Summary')}: ${summarize(record)}\n`)
  if (endpoint) return ExitCode.success
  const missing = missingExpectations(record, files)
  for (const each of missing) stdout.write(`${palette.red('missing')}: ${each}\n`)
  if (missing.length) return ExitCode.failure
  stdout.write(`${palette.green('All of it went as the script wants it.')}\n`)
  return ExitCode.success
}

function chooseView(
  stdout: Output,
  options: DemoOptions,
  isTerminal: boolean,
  palette: Palette,
): OnDemoEvent {
  const write = (text: string) => {
    stdout.write(text)
  }
  const isWide = (stdout.columns ?? 0) >= MIN_COLUMNS
  if (options.isPlain || !isTerminal || !isWide) return createPlainView({ write, palette })
  const size = () => ({ columns: stdout.columns ?? MIN_COLUMNS, rows: stdout.rows ?? 24 })
  return createColumnView({ write, size, palette })
}
