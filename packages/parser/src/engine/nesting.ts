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

export interface Nesting {
  /** The innermost container. */
  top(): Container
  depth(): number
  /** What stands between keys and values here; empty where there are no keys. */
  assign(): '' | ':' | '='
  push(container: Container): void
  /** The innermost container has shown what it is. */
  settle(kind: Container['kind']): void
  /** Closes the innermost container with this bracket, and whatever is still open inside it. False if there is none. */
  close(closer: string): boolean
  /** False for an argument that was given already. */
  putKey(key: string): boolean
  /** A call begins with its first argument: without one it may be prose. */
  beginCall(): void
}

const nothing: Container = { closer: '', kind: 'value' }
const assigns = { object: ':', spread: ':', unclear: ':', call: '=', list: '', value: '' } as const

/** Keeps track of brackets, and tells a sink of objects, lists and keys. */
export function createNesting(sink: ValueSink): Nesting {
  /** Outermost first. */
  const containers: Container[] = []
  let hasCall = false
  const given = new Set<string>()

  const top = () => containers[containers.length - 1] ?? nothing
  const settle = (kind: Container['kind']) => {
    top().kind = kind
    if (kind === 'object') sink(Token.beginObject, '')
    if (kind === 'list') sink(Token.beginArray, '')
  }
  const beginCall = () => {
    if (!hasCall) sink(Token.beginObject, '')
    hasCall = true
  }
  return {
    top,
    depth: () => containers.length,
    assign: () => assigns[top().kind],
    push(container) {
      containers.push(container)
      settle(container.kind)
    },
    settle,
    close(closer) {
      const isOpen = containers.some(container => container.closer === closer)
      // Brackets and braces get crossed; a parenthesis that does so would end the call with what is left of its arguments.
      if (!isOpen || (closer === ')' && top().closer !== closer)) return false
      for (let closed = nothing; closed.closer !== closer; containers.pop()) {
        closed = top()
        if (closed.kind === 'unclear') settle(closed.closer === '}' ? 'object' : 'list')
        if (closed.kind === 'call') beginCall()
        if (closed.kind === 'list') sink(Token.endArray, '')
        if (closed.kind === 'object' || closed.kind === 'call') sink(Token.endObject, '')
      }
      return true
    },
    putKey(key) {
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
