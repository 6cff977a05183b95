import type { ToolShapes } from '../body.js'
import { createValueRecorder, nestingOf, Token, type ValueRecorder } from '../value-token.js'

/** A call without its tool's name: its arguments are kept until they tell which tool has them all. */
export interface UnnamedCall extends Pick<ValueRecorder, 'put' | 'replay'> {
  /** The only tool that it can be a call of. */
  toolName(): string | undefined
}

export function createUnnamedCall(tools: ToolShapes): UnnamedCall {
  const { put, replay } = createValueRecorder()
  const keys: string[] = []
  let depth = 0
  return {
    put(token, text) {
      depth += nestingOf[token] ?? 0
      if (token === Token.key && depth === 1) keys.push(text)
      put(token, text)
    },
    replay,
    toolName() {
      const names = tools.names()
      if (names.length === 1) return names[0]
      const fitting = names.filter(name => keys.every(key => tools.shapeOf(name).propertyNames.includes(key)))
      return fitting.length === 1 ? fitting[0] : undefined
    },
  }
}
