import { recordDemo } from './record-demo.js'
import { renderPicture } from './render-picture.js'

/** The columns of the terminal: wide enough for a call in one line. */
const COLUMNS = 114
/** Two calls at once; a call that cannot be read; the same call, corrected. */
const SHOWN_STEPS = [1, 4, 5]

/** Returns the animated picture of the README: what `toolglot demo` shows in a terminal. */
export async function drawDemo(): Promise<string> {
  const { heading, steps } = await recordDemo(COLUMNS)
  const shown = steps.filter(({ step }) => SHOWN_STEPS.includes(step))
  return renderPicture({ heading, steps: shown }, COLUMNS)
}
