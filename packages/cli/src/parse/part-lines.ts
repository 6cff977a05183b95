import type { CallEndEvent, EngineEvent, Problem } from '@toolglot/parser/protocol'
import { escapeControls } from '../json-text.js'
import type { LineIndex } from '../line-index.js'

export interface PartLinesOptions {
  /** Write every event, not only complete parts. */
  readonly isStream: boolean
  readonly lines: LineIndex
  /** Called with each line, without its line break. */
  readonly put: (line: string) => void
}

/** Turns the parser's events into lines of JSON, one per part. */
export function createPartLines({ isStream, lines, put: putLine }: PartLinesOptions) {
  const put = (json: string) => putLine(escapeControls(json))
  let type: 'text' | 'reasoning' = 'text'
  let pieces: string[] = []
  let callCount = 0
  let problemCount = 0

  const endText = () => {
    if (pieces.length) put(JSON.stringify({ type, text: pieces.join('') }))
    pieces = []
  }
  const addText = (of: 'text' | 'reasoning', text: string) => {
    if (isStream) return put(JSON.stringify({ type: `${of}-delta`, delta: text }))
    if (of !== type) endText()
    type = of
    pieces.push(text)
  }
  const putProblem = (
    { code, message }: Problem,
    offset: number,
    more: Readonly<Record<string, unknown>>,
  ) => {
    problemCount++
    put(
      JSON.stringify({ type: 'problem', code, message, offset, ...lines.placeOf(offset), ...more }),
    )
  }
  const putCall = ({ toolName, input, raw, offset, problem }: CallEndEvent) => {
    if (problem) putProblem(problem, offset, { toolName, raw })
    const id = isStream ? `"id":${JSON.stringify(callId())},` : ''
    // The input is copied as text: parsing it would change a number of twenty digits.
    const json = problem ? JSON.stringify(input) : input.replace(/[\r\n]/g, ' ') || '{}'
    const invalid = problem ? ',"invalid":true' : ''
    put(
      `{"type":"tool-call",${id}"toolName":${JSON.stringify(toolName)},"input":${json}${invalid},"offset":${offset}}`,
    )
  }
  const callId = () => `call-${callCount}`

  return {
    take(event: EngineEvent) {
      switch (event.type) {
        case 'text':
        case 'reasoning':
          return addText(event.type, event.text)
        case 'call-start':
          endText()
          callCount++
          if (isStream)
            put(
              JSON.stringify({ type: 'tool-input-start', id: callId(), toolName: event.toolName }),
            )
          return
        case 'call-delta':
          if (isStream)
            put(JSON.stringify({ type: 'tool-input-delta', id: callId(), delta: event.delta }))
          return
        case 'call-end':
          return putCall(event)
        case 'problem':
          endText()
          return putProblem(event.problem, event.offset, {})
      }
    },
    end: endText,
    problemCount: () => problemCount,
  }
}
