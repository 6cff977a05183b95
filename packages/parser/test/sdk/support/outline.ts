import type { AnyPart } from './sdk-versions.js'

/**
 * What an answer says, in order: neighbouring texts and reasoning are joined, calls have their input
 * as JSON text.
 */
export type Outline = (
  | { text: string }
  | { reasoning: string }
  | { call: unknown; input: unknown }
)[]

/** The outline of a stream or of a whole answer, so that the two can be compared. */
export function outlineOf(parts: readonly AnyPart[]): Outline {
  const outline: Outline = []
  const say = (kind: 'text' | 'reasoning', piece: unknown) => {
    const last = outline.at(-1)
    if (piece === '') return
    if (kind === 'text') {
      if (last && 'text' in last) last.text += String(piece)
      else outline.push({ text: String(piece) })
    } else if (last && 'reasoning' in last) last.reasoning += String(piece)
    else outline.push({ reasoning: String(piece) })
  }
  for (const part of parts) {
    if (part.type === 'text-delta') say('text', part.delta ?? part.text)
    else if (part.type === 'text') say('text', part.text)
    else if (part.type === 'reasoning-delta') say('reasoning', part.delta ?? part.text)
    else if (part.type === 'reasoning') say('reasoning', part.text)
    else if (part.type === 'tool-call') outline.push({ call: part.toolName, input: part.input })
  }
  return outline
}

/** What is wrong with the order of a model's stream parts; nothing, if all is well. */
export function faultsOf(parts: readonly AnyPart[]): string[] {
  const faults: string[] = []
  const open = new Map<string, string>()
  /** Inputs that are over, and their calls not yet made. */
  const inputs = new Map<unknown, string>()
  const called = new Set<unknown>()
  for (const part of parts) {
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    const key = `${kind} ${String(part.id)}`
    if (step === 'start') {
      if (open.has(key)) faults.push(`${key} was begun twice`)
      for (const other of open.keys()) faults.push(`${key} was begun inside of ${other}`)
      open.set(key, '')
    } else if (step === 'delta') {
      if (!open.has(key)) faults.push(`${key} got more without being open`)
      open.set(key, (open.get(key) ?? '') + String(part.delta))
    } else if (step === 'end') {
      if (!open.has(key)) faults.push(`${key} was ended without being open`)
      if (kind === 'tool-input') inputs.set(part.id, open.get(key) ?? '')
      open.delete(key)
    } else if (part.type === 'tool-call') {
      const input = inputs.get(part.toolCallId)
      if (input === undefined)
        faults.push(`the call ${String(part.toolCallId)} came without its input`)
      else if (input !== part.input)
        faults.push(`the call ${String(part.toolCallId)} is not what was streamed`)
      if (called.has(part.toolCallId))
        faults.push(`the call ${String(part.toolCallId)} was made twice`)
      called.add(part.toolCallId)
    }
  }
  for (const key of open.keys()) faults.push(`${key} was never ended`)
  for (const id of inputs.keys())
    if (!called.has(id)) faults.push(`the input ${String(id)} has no call`)
  return faults
}
