import { countOf } from '../terminal-text.js'
import type { CallEvent, DemoEvent, ResultEvent } from './demo-event.js'

/** The events of the loop so far. */
export interface DemoRecord {
  readonly onEvent: (event: DemoEvent) => void
  stepCount(): number
  calls(): readonly CallEvent[]
  results(): readonly ResultEvent[]
  /** The text of the last step, without calls. */
  lastText(): string
}

export function createDemoRecord(): DemoRecord {
  const calls: CallEvent[] = []
  const results: ResultEvent[] = []
  let stepCount = 0
  let lastText = ''
  return {
    onEvent(event) {
      if (event.type === 'step-start') {
        stepCount = event.step
        lastText = ''
      } else if (event.type === 'text') lastText += event.text
      else if (event.type === 'call') calls.push(event)
      else if (event.type === 'result') results.push(event)
    },
    stepCount: () => stepCount,
    calls: () => calls,
    results: () => results,
    lastText: () => lastText,
  }
}

/** Returns the invalid calls after which the same tool was called with success. */
export function recoveredCalls(record: DemoRecord): readonly CallEvent[] {
  return record
    .calls()
    .filter(
      call =>
        call.invalid !== undefined &&
        record
          .results()
          .some(
            ({ step, toolName, failure }) =>
              step > call.step && toolName === call.toolName && failure === undefined,
          ),
    )
}

export function summarize(record: DemoRecord): string {
  const invalidCount = record.calls().filter(call => call.invalid !== undefined).length
  const failedCount =
    record.results().filter(result => result.failure !== undefined).length - invalidCount
  return [
    countOf(record.stepCount(), 'step'),
    countOf(record.calls().length, 'call'),
    `${invalidCount} invalid`,
    `${recoveredCalls(record).length} recovered`,
    ...(failedCount > 0 ? [`${failedCount} failed in the tool`] : []),
  ].join(', ')
}
