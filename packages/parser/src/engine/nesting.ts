import { Token, type ValueSink } from './value-token.js'

/** What is open around the place of a reader. */
export interface Container {
  readonly closer: string
  /**
   * `unclear`: a dictionary or a set, a tuple or a value in parentheses; `value`: it was the latter. `call`: the arguments of a
   * Python call; `spread`: `**{…}`, whose pairs are arguments too.
   */
  kind: 'object' | 'list' | 'call' | 'spread' | 'unclear' | 'value'
}

export type Nesting = ReturnType<typeof createNesting>

const nothing: Container = { closer: '', kind: 'value' }
const assigns = { object: ':', spread: ':', unclear: ':', call: '=', list: '', value: '' } as const

/** Keeps track of brackets, and tells a sink of objects, lists and keys. */
export function createNesting(sink: ValueSink) {
  /** Outermost first. */
  const containers: Container[] = []
  let hasCall = false
  const given = new Set<string>()

  const top = () => containers[containers.length - 1] ?? nothing
  /** The innermost container has shown what it is. */
  const settle = (kind: Container['kind']) => {
    top().kind = kind
    if (kind === 'object') sink(Token.beginObject, '')
    if (kind === 'list') sink(Token.beginArray, '')
  }
  /** A call begins with its first argument: without one it may be prose. */
  const beginCall = () => {
    if (!hasCall) sink(Token.beginObject, '')
    hasCall = true
  }
  return {
    /** The innermost container. */
    top,
    depth: () => containers.length,
    /** What stands between keys and values here; empty where there are no keys. */
    assign: () => assigns[top().kind],
    settle,
    push(container: Container) {
      containers.push(container)
      settle(container.kind)
    },
    /** Whether a bracket closes something. Brackets and braces get crossed; a parenthesis that does so would end the call with what is left of its arguments. */
    mayClose: (closer: string) =>
      top().closer === closer || (closer !== ')' && containers.some(container => container.closer === closer)),
    /** Closes the innermost container. */
    pop() {
      const { closer, kind } = top()
      if (kind === 'unclear') settle(closer === '}' ? 'object' : 'list')
      if (kind === 'call') beginCall()
      const closed = containers.pop()?.kind
      if (closed === 'list') sink(Token.endArray, '')
      if (closed === 'object' || closed === 'call') sink(Token.endObject, '')
    },
    /** False for an argument that was given already. */
    putKey(key: string): boolean {
      if (top().kind === 'call' || top().kind === 'spread') {
        if (given.has(key)) return false
        given.add(key)
        beginCall()
      }
      sink(Token.key, key)
      return true
    },
    beginCall,
  }
}
