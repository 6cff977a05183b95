import type { Tools } from '../model-types.js'

// The model calls functions by their names. A client has more: tools in a namespace, tools whose
// input is a free text, tools that its API knows by their type. A `ToolMap` shows each of them to the
// model as a function under one name, and finds the client's tool again when the model calls it:
//
//     { type: "namespace", name: "mcp__notes", tools: [{ name: "read_note" }] }   mcp__notes__read_note
//     { type: "custom", name: "apply_patch" }                                     apply_patch

/** What kind of item a client expects for a call of a tool. */
export type ClientToolKind =
  | 'function'
  /** The input is one free text. */
  | 'custom'
  /** The tools of OpenAI's Responses that the client runs. */
  | 'tool_search'
  | 'local_shell'
  | 'shell'
  | 'apply_patch'

/** A tool as the client knows it. */
export interface ClientTool {
  readonly kind: ClientToolKind
  readonly name: string
  /** The namespace of the tool. Undefined at the top level. */
  readonly namespace?: string | undefined
}

export type FunctionTool = Extract<Tools[number], { type: 'function' }>

/** A tool as the model sees it, except for its name. */
export type ShownTool = Omit<FunctionTool, 'type' | 'name'>

/** The names that the model sees, and the tools of the client that they mean. */
export interface ToolMap {
  /** The tools as functions. Undefined if the request has no list of tools. */
  readonly tools: Tools | undefined
  /** Returns the name that the model sees for a tool of the client. */
  shownName(tool: ClientTool): string
  /** Returns the client's tool that a name means. An unknown name is a function of that name. */
  clientTool(shownName: string): ClientTool
  /** True if the client declared this tool. */
  has(tool: ClientTool): boolean
}

/** A `ToolMap` to which tools are added while a request is read. */
export interface ToolMapBuilder extends ToolMap {
  /** Adds a tool. A tool that is declared again replaces the first declaration. */
  add(tool: ClientTool, shown: ShownTool): void
  /** Notes that the request has a list of tools, even if the list is empty. */
  begin(): void
}

/** The namespace of tools at the top level: `functions.exec_command` is `exec_command`. */
const TOP_LEVEL = 'functions'

/** Returns the namespace as it counts; undefined for `null`, `""` and `functions`. */
export function realNamespace(namespace: string | undefined): string | undefined {
  return namespace === '' || namespace === TOP_LEVEL ? undefined : namespace
}

export function createToolMap(): ToolMapBuilder {
  let hasList = false
  const shownByKey = new Map<string, string>()
  const clientByShown = new Map<string, ClientTool>()
  const functions = new Map<string, FunctionTool>()
  /** The lowest number that may be free for a name: no number is tried twice. */
  const nextNumbers = new Map<string, number>()

  /** A free name: `apply_patch`, or `apply_patch_2` if another tool has the first one. */
  const freeName = (name: string) => {
    let free = name
    let number = nextNumbers.get(name) ?? 2
    while (clientByShown.has(free)) free = `${name}_${number++}`
    nextNumbers.set(name, number)
    return free
  }
  return {
    get tools() {
      return hasList ? [...functions.values()] : undefined
    },
    begin() {
      hasList = true
    },
    add(tool, shown) {
      hasList = true
      const key = keyOf(tool)
      const name = shownByKey.get(key) ?? freeName(joinedName(tool))
      shownByKey.set(key, name)
      clientByShown.set(name, tool)
      functions.set(name, { type: 'function', name, ...shown })
    },
    shownName: tool => shownByKey.get(keyOf(tool)) ?? joinedName(tool),
    clientTool: name => clientByShown.get(name) ?? { kind: 'function', name },
    has: tool => shownByKey.has(keyOf(tool)),
  }
}

/** `mcp__notes__read_note`. Two underscores, because not all servers accept a dot in a name. */
function joinedName({ name, namespace }: ClientTool): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}

function keyOf({ kind, name, namespace = '' }: ClientTool): string {
  return JSON.stringify([kind, namespace, name])
}
