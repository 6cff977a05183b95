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

/** Enough for the script and one more mistake. */
const MAX_STEPS = 8
/** The narrowest terminal for two columns. */
const MIN_COLUMNS = 80
/** Delay after every few characters, so that a person can follow. */
const WATCHABLE_DELAY_MS = 18

/**
 * Runs `toolglot demo`. Resolves to the exit code, which is 0 only if everything went as scripted.
 * Rejects with UsageError.
 */
export async function runDemo(surroundings: Surroundings): Promise<number> {
  const { argv, stdout, stderr, env } = surroundings
  const options = parseDemoOptions(argv)
  if (options.isHelp) {
    stdout.write(demoHelp)
    return ExitCode.success
  }
  const { protocolName, endpoint } = options
  const isTerminal = stdout.isTTY === true && env.TERM !== 'dumb'
  const palette = createPalette(isTerminal && options.hasColor && !env.NO_COLOR)
  const { tools, declarations, files } = createDemoTools()
  const record = createDemoRecord()
  const view = chooseView(stdout, options, isTerminal, palette)
  const prompt = endpoint?.prompt ?? demoPrompt
  const delayMs = isTerminal && !options.isFast ? WATCHABLE_DELAY_MS : 0
  const model = endpoint
    ? createEndpointModel(endpoint, env)
    : createScriptedModel({ protocol: getProtocol(protocolName), declarations, delayMs })
  stdout.write(renderHeading(options, prompt, palette))
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
  return endpoint
    ? ExitCode.success
    : reportScript(missingExpectations(record, files), stdout, palette)
}

/** The lines above the steps: what runs, and the prompt. */
export function renderHeading(
  { protocolName, endpoint }: Pick<DemoOptions, 'protocolName' | 'endpoint'>,
  prompt: string,
  { bold, dim }: Palette,
): string {
  const model = endpoint ? `${endpoint.modelName} at ${endpoint.baseUrl}` : 'a script'
  const asked = detectProtocol({ modelId: endpoint?.modelName })?.protocol ?? 'hermes'
  const protocol = protocolName === 'auto' ? `auto (asks in ${asked})` : protocolName
  return [
    `${bold('toolglot demo')}: protocol ${protocol}, model ${showControls(model)}\n`,
    `${dim('prompt:')} ${showControls(prompt)}\n`,
  ].join('')
}

/** Reports what the scripted conversation lacks. Returns the exit code. */
function reportScript(missing: readonly string[], stdout: Output, { red, green }: Palette): number {
  for (const each of missing) stdout.write(`${red('missing')}: ${each}\n`)
  if (missing.length) return ExitCode.failure
  stdout.write(`${green('Everything went as scripted.')}\n`)
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
