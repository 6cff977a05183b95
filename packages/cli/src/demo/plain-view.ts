import type { Palette } from '../palette.js'
import { countOf, showControls, showInLine } from '../terminal-text.js'
import type { CallEvent, DemoEvent, OnDemoEvent } from './demo-event.js'
import { resultLine } from './result-line.js'

/**
 * Shows the loop as a log. Each step has the model's text, the parts, and the results.
 */
export function createPlainView({
  write,
  palette,
}: {
  write: (text: string) => void
  palette: Palette
}): OnDemoEvent {
  const { bold, dim, red, yellow, cyan } = palette
  let raw = ''
  let parts: string[] = []
  let results: string[] = []
  /** Text up to the next call. It arrives in pieces, but is shown as one part. */
  let text = ''

  const endText = () => {
    if (text.trim()) parts.push(`${cyan('text')}       ${showInLine(JSON.stringify(text))}`)
    text = ''
  }
  const putCall = ({ toolName, input, deltas, invalid }: CallEvent) => {
    // Input that is not JSON is shown as it is.
    const args = typeof input === 'string' ? input : JSON.stringify(input)
    const count = dim(`(${countOf(deltas.length, 'delta')})`)
    const label = invalid === undefined ? yellow('tool-call') : red('invalid  ')
    parts.push(`${label}  ${showInLine(`${toolName} ${args}`)} ${count}`)
  }
  const section = (title: string, lines: readonly string[]) => {
    if (lines.length) write(`${dim(title)}\n${lines.map(line => `  ${line}\n`).join('')}`)
  }

  return (event: DemoEvent) => {
    if (event.type !== 'text' && event.type !== 'raw') endText()
    switch (event.type) {
      case 'step-start':
        return write(`\n${bold(`Step ${event.step}`)}\n`)
      case 'raw':
        raw += event.text
        return
      case 'text':
        text += event.text
        return
      case 'problem':
        parts.push(`${red('problem')}    ${showInLine(`${event.code}: ${event.message}`)}`)
        return
      case 'call':
        return putCall(event)
      case 'result':
        results.push(resultLine(event, palette))
        return
      case 'step-end':
        section(
          'the model writes',
          showControls(raw)
            .split('\n')
            .map(line => `${dim('|')} ${line}`),
        )
        section('the middleware emits', parts)
        section('the tools answer', results)
        raw = ''
        parts = []
        results = []
    }
  }
}
