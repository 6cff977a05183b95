import type { EmitEvent, EngineEvent } from './events.js'
import type { Scanner } from './scanner.js'

/** A scanner that drops the text around calls. Without a call all of the text is given out, at the end. */
export function withoutText(createScanner: (emit: EmitEvent) => Scanner, emit: EmitEvent): Scanner {
  let held: EngineEvent[] | undefined = []
  const scanner = createScanner(event => {
    if (event.type === 'text') {
      held?.push(event)
      return
    }
    if (event.type === 'call-start') held = undefined
    emit(event)
  })
  return {
    ...scanner,
    end(isCut) {
      scanner.end(isCut)
      for (const event of held ?? []) emit(event)
      held = undefined
    },
  }
}
