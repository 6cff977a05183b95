import { Token, type ValueSink } from './value-token.js'

/** What is open around the place of a reader. */
interface Container {
  readonly closer: string
  kind: ContainerKind
}
/**
 * `unclear`: a dictionary or a set, a tuple or a value in parentheses; `value`: it was the latter. `call`: the arguments of a
 * Python call; `spread`: `**{…}`, whose pairs are arguments too.
 */
export type ContainerKind = keyof typeof assigns

const assigns = { object: ':', spread: ':', unclear: ':', call: '=', list: '', value: '' } as const
const nothing: Container = { closer: '', kind: 'value' }

export type Nesting = ReturnType<typeof createNesting>

/** Keeps track of brackets, and tells a sink of objects and lists. */
export function createNesting(sink: ValueSink) {
  /** Outermost first. */
  const containers: Container[] = []
  let hasCall = false

  const top = () => containers[containers.length - 1] ?? nothing
  /** The innermost container has shown what it is. */
  const settle = (kind: ContainerKind) => {
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
    beginCall,
    push(closer: string, kind: ContainerKind) {
      containers.push({ closer, kind })
      settle(kind)
    },
    /** The depth behind a closing bracket; undefined if it closes nothing. */
    depthBehind(closer: string): number | undefined {
      const depth = containers.findLastIndex(container => container.closer === closer)
      // Brackets and braces get crossed; a parenthesis that does so would end the call with what is left of its arguments.
      return depth < 0 || (closer === ')' && top().closer !== closer) ? undefined : depth
    },
    /** Closes the innermost container. */
    pop() {
      const { closer, kind } = top()
      if (kind === 'unclear') settle(closer === '}' ? 'object' : 'list')
      if (kind === 'call') beginCall()
      const closed = containers.pop()?.kind
      if (closed === 'list') sink(Token.endArray, '')
      if (closed === 'object' || closed === 'call') sink(Token.endObject, '')
    },
  }
}
