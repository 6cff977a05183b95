import type { Palette } from '../palette.js'
import { showInLine } from '../terminal-text.js'
import type { ResultEvent } from './demo-event.js'

/** Renders a tool's result in one line. */
export function resultLine(
  { toolName, output, failure }: ResultEvent,
  { green, red }: Palette,
): string {
  const text = failure === undefined ? JSON.stringify(output) : failure
  const line = showInLine(`${toolName}  ${text ?? 'no output'}`)
  return failure === undefined ? `${green('result')}  ${line}` : `${red('error')}   ${line}`
}
