import { getProtocol } from '@toolglot/parser'
import { runAgentLoop } from '../demo/agent-loop.js'
import { createColumnView } from '../demo/column-view.js'
import type { DemoEvent } from '../demo/demo-event.js'
import { createDemoTools } from '../demo/demo-tools.js'
import { renderHeading } from '../demo/run-demo.js'
import { demoPrompt } from '../demo/script.js'
import { createScriptedModel } from '../demo/scripted-model.js'
import { createPalette } from '../palette.js'
import { type Cell, createScreen, type Screen } from './screen.js'

/** What one step of the demo writes to the terminal, and when. */
export interface RecordedStep {
  readonly step: number
  readonly rows: readonly (readonly Cell[])[]
  /** When the last character was written, in milliseconds from the beginning of the step. */
  readonly endsAt: number
}

export interface Recording {
  /** The lines above the steps. */
  readonly heading: readonly (readonly Cell[])[]
  readonly steps: readonly RecordedStep[]
}

const PROTOCOL = 'hermes'
/** Time in the picture: of a piece of the model's text, and before the results of the tools. */
const PIECE_MS = 45
const TOOLS_MS = 500
/**
 * Time in which this program waits for the middleware after each piece, so that it shows a piece on
 * the right before the next one is on the left. It is no time of the picture.
 */
const WAIT_MS = 2

/** Runs the demo, and records what a terminal with this many columns shows. */
export async function recordDemo(columns: number): Promise<Recording> {
  const palette = createPalette(true)
  const { tools, declarations } = createDemoTools()
  const steps: RecordedStep[] = []
  let time = 0
  // A message of the JavaScript engine, which ends a long line, is not the same in each version.
  const newScreen = () => createScreen({ columns, longLines: 'cut', now: () => time })
  let screen: Screen = newScreen()
  const view = createColumnView({
    write: text => screen.write(text),
    size: () => ({ columns, rows: 1000 }),
    palette,
  })
  const onEvent = (event: DemoEvent) => {
    if (event.type === 'step-start') {
      time = 0
      screen = newScreen()
    }
    if (event.type === 'raw') time += PIECE_MS
    if (event.type === 'step-end') time += TOOLS_MS
    view(event)
    if (event.type === 'step-end') {
      steps.push({ step: event.step, rows: screen.rows(), endsAt: time })
    }
  }
  await runAgentLoop({
    model: createScriptedModel({
      protocol: getProtocol(PROTOCOL),
      declarations,
      delayMs: WAIT_MS,
    }),
    protocol: PROTOCOL,
    tools,
    prompt: demoPrompt,
    maxSteps: 8,
    onEvent,
  })
  const top = createScreen({ columns, longLines: 'wrap', now: () => 0 })
  top.write(renderHeading({ protocolName: PROTOCOL, endpoint: undefined }, demoPrompt, palette))
  return { heading: top.rows(), steps }
}
