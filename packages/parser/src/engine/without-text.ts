import type { EmitEvent, EngineEvent } from './events.js'
import type { Scanner } from './scanner.js'

/**
 * A scanner that drops the text around calls. Without a call all of the text is given out, at the end. With `isText` a call
 * that cannot be read counts as text.
 */
export function withoutText(createScanner: (emit: EmitEvent) => Scanner, emit: EmitEvent, isText: boolean): Scanner {
  let held: EngineEvent[] | undefined = []
  const release = () => {
    for (const event of held?.splice(0) ?? []) emit(event)
  }
  const scanner = createScanner(event => {
    if (event.type === 'call-end' && event.problem && isText) release()
    else if (event.type === 'call-end') held = undefined
    if (event.type === 'text') held?.push(event)
    else emit(event)
  })
  return {
    ...scanner,
    end(isCut) {
      scanner.end(isCut)
      release()
    },
  }
}
