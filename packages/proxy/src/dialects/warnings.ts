/** What a request contains that the proxy leaves out, for a header of the answer and for the log. */
export interface Warnings {
  /** A tool was left out. `name`: what a tool choice calls it, if that is not its type. */
  leftOutTool(type: string, name?: string): void
  /** An item or a block of the conversation was left out. */
  leftOutItem(type: string): void
  /** True if a tool of this type or name was left out. */
  hasTool(typeOrName: string): boolean
  /** True if any tool was left out. */
  hasTools(): boolean
  texts(): string[]
}

/** The longest name of a type that is shown, and how many of them. Clients choose both. */
const MAX_TYPE_CHARS = 64
const MAX_TYPES = 20

export function createWarnings(): Warnings {
  const tools = new Set<string>()
  const toolNames = new Set<string>()
  const items = new Set<string>()
  return {
    leftOutTool(type, name) {
      tools.add(type)
      if (name !== undefined) toolNames.add(name)
    },
    leftOutItem: type => void items.add(type),
    hasTool: typeOrName => tools.has(typeOrName) || toolNames.has(typeOrName),
    hasTools: () => tools.size > 0,
    texts: () => [
      ...warn('left out tools that the proxy cannot offer', tools),
      ...warn('left out parts of the conversation that the model cannot read', items),
    ],
  }
}

function warn(text: string, types: ReadonlySet<string>): string[] {
  if (types.size === 0) return []
  const shown = [...types].slice(0, MAX_TYPES).map(showType)
  const more = types.size > shown.length ? [`${types.size - shown.length} more`] : []
  return [`${text}: ${[...shown, ...more].join(', ')}`]
}

/** A type as it may be in a header: printable ASCII. */
function showType(type: string): string {
  return type.slice(0, MAX_TYPE_CHARS).replace(/[^\x20-\x7e]/g, '?')
}
