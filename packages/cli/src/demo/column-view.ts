import type { Palette } from '../palette.js'
import { countOf } from '../terminal-text.js'
import { createColumnPainter } from './column-painter.js'
import type { CallEvent, DemoEvent, OnDemoEvent } from './demo-event.js'
import { resultLine } from './result-line.js'

export interface ColumnViewOptions {
  readonly write: (text: string) => void
  /** Called at each step, because the window may change its size. */
  readonly size: () => { readonly columns: number; readonly rows: number }
  readonly palette: Palette
}

/**
 * Shows the loop live: the model's text on the left, the parts on the right, the results below.
 */
export function createColumnView({ write, size, palette }: ColumnViewOptions): OnDemoEvent {
  const { bold, dim, red, yellow, cyan } = palette
  const plain = (text: string) => text
  const newPainter = () => createColumnPainter({ write, ...size(), separator: dim('│') })
  let painter = newPainter()
  let results: string[] = []
  let isInText = false

  const beginStep = (step: number) => {
    painter = newPainter()
    write(`\n${bold(`Step ${step}`)}\n`)
    painter.left('the model writes', dim)
    painter.startRight()
    painter.right('the middleware emits', dim)
    painter.left('\n', dim)
  }
  const startPart = (label: string, paint = yellow) => {
    isInText = false
    painter.startRight()
    painter.right(label, paint)
  }
  const putText = (text: string) => {
    // The empty line between a sentence and a call is text, but need not be shown.
    if (!isInText && text.trim() === '') return
    if (!isInText) startPart('text ', cyan)
    painter.right(isInText ? text : text.trimStart(), plain)
    isInText = true
  }
  const putCall = ({ toolName, deltas, invalid }: CallEvent) => {
    if (invalid === undefined) startPart('tool-call ')
    else startPart('invalid tool-call ', red)
    painter.right(`${toolName} (${countOf(deltas.length, 'delta')})`, dim)
  }

  return (event: DemoEvent) => {
    switch (event.type) {
      case 'step-start':
        return beginStep(event.step)
      case 'raw':
        return painter.left(event.text, plain)
      case 'text':
        return putText(event.text)
      case 'input-start':
        startPart('tool-input-start ')
        painter.right(`${event.toolName}\n`, plain)
        return
      case 'input-delta':
        return painter.right(event.delta, plain)
      case 'problem':
        startPart('problem ', red)
        return painter.right(`${event.code}: ${event.message}`, plain)
      case 'call':
        return putCall(event)
      case 'result':
        results.push(resultLine(event, palette))
        return
      case 'step-end':
        painter.end()
        isInText = false
        for (const line of results) write(`${line}\n`)
        results = []
    }
  }
}
