import { isDeepStrictEqual } from 'node:util'
import type { CallEvent } from './demo-event.js'
import { type DemoRecord, recoveredCalls } from './demo-record.js'
import { cities, fileCall, reminderCall, type ScriptedCall, tripCall } from './script.js'

/** Returns the results of the scripted conversation that are missing. */
export function missingExpectations(
  record: DemoRecord,
  files: ReadonlyMap<string, string>,
): string[] {
  const good = record.calls().filter(call => call.invalid === undefined)
  const hasCall = ({ toolName, input }: ScriptedCall) =>
    good.some(call => call.toolName === toolName && isDeepStrictEqual(call.input, input))
  const weatherSteps = cities.map(
    city =>
      good.find(call => isDeepStrictEqual(call.input, { city }) && call.toolName === 'get_weather')
        ?.step,
  )
  const { path, content } = fileCall.input
  const expectations: readonly (readonly [string, boolean])[] = [
    [
      'two calls in one step',
      weatherSteps[0] !== undefined && weatherSteps.every(step => step === weatherSteps[0]),
    ],
    ['a call with a nested argument', hasCall(tripCall)],
    ['a file with exactly the text that the model wrote', files.get(String(path)) === content],
    [
      'an invalid call that is corrected',
      hasCall(reminderCall) && recoveredCalls(record).length > 0,
    ],
    ['inputs that stream as the JSON of the calls', good.length > 0 && good.every(isStreamedWell)],
    [
      'a final answer that mentions the results',
      ['4 °C', '21 °C', '5 nights', '7 lines', '30 minutes'].every(each =>
        record.lastText().includes(each),
      ),
    ],
  ]
  return expectations.flatMap(([what, isMet]) => (isMet ? [] : [what]))
}

function isStreamedWell({ deltas, input }: CallEvent): boolean {
  try {
    return isDeepStrictEqual(JSON.parse(deltas.join('')), input)
  } catch {
    return false
  }
}
