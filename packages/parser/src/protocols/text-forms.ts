import { isRecord } from '../schema/is-record.js'
import type { FunctionTool, ToolCall } from '../sdk/parts.js'
import type { ToolsForm } from './tool-forms.js'

/** JSON with a space behind commas and colons, as the training data of most models has it. */
export function spacedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => spacedJson(item ?? null)).join(', ')}]`
  if (isRecord(value) && typeof value.toJSON !== 'function') {
    const entries = Object.entries(value).filter(([, each]) => each !== undefined && typeof each !== 'function')
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}: ${spacedJson(each)}`).join(', ')}}`
  }
  return JSON.stringify(value) ?? 'null'
}

/** A tool in the terms of OpenAI's interface, as the chat templates of most models show it. */
export const openAiTool = (tool: FunctionTool) => ({ type: 'function', function: toolFields(tool) })

/** The same without its wrapper. */
export function toolFields({ name, description, inputSchema }: FunctionTool) {
  return { name, ...(description === undefined ? {} : { description }), parameters: withoutDialect(inputSchema) }
}

/** `$schema` says nothing to a model. */
function withoutDialect(schema: unknown): unknown {
  if (!isRecord(schema)) return schema
  const { $schema: _, ...rest } = schema
  return rest
}

/** The arguments of a call, in whatever form they come: a value, JSON text, or text that never was JSON. */
export type CallInput =
  | {
      readonly json: string
      readonly value: unknown
      /** False where the text holds a number that a JavaScript value cannot. */
      readonly isExact: boolean
    }
  | { readonly text: string }

const longNumber = /\d[\d.]{15}|\d[eE]/
const withoutStrings = (json: string) => json.replace(/"(?:[^"\\]|\\.)*"/g, '""')

export function readCallInput({ input }: ToolCall): CallInput {
  if (typeof input !== 'string') return { json: spacedJson(input ?? {}), value: input ?? {}, isExact: true }
  if (input.trim() === '') return { json: '{}', value: {}, isExact: true }
  try {
    const value: unknown = JSON.parse(input)
    // The text is kept as it is: a number of twenty digits would not survive a detour over a value.
    return { json: input, value, isExact: !longNumber.test(withoutStrings(input)) }
  } catch {
    return { text: input }
  }
}

/** The arguments of a call as JSON, whatever they are. */
export function callArguments(toolCall: ToolCall): string {
  const input = readCallInput(toolCall)
  return 'json' in input ? input.json : JSON.stringify(input.text)
}

/** JSON in which no tag can be seen. */
export const hideTags = (json: string) => json.replaceAll('<', '\\u003c')

/** Writes JSON so that none of the marks occurs in it: JSON can spell any character of a string in another way. */
export function hideMarks(json: string, marks: readonly string[]): string {
  let hidden = json
  for (const mark of marks) {
    const first = mark.charAt(0)
    hidden = hidden.replaceAll(mark, `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}${mark.slice(1)}`)
  }
  return hidden
}

/**
 * Fills in a template: `$name` stands for the value of that name, and `"$name"` for the same as a JSON string in which none of the
 * marks occurs. Other words are left as they are.
 */
export function fillIn(
  template: string,
  values: Readonly<Record<string, string | number>>,
  marks: readonly string[] = [],
): string {
  return template.replace(/("?)\$(\w+)\1/g, (hole: string, quote: string, name: string) => {
    const value = values[name]
    if (value === undefined) return hole
    return quote ? hideMarks(JSON.stringify(String(value)), marks) : String(value)
  })
}

/** A prompt as chat templates have it: the tools, how to call one, and the rules that all formats share. */
export function functionPrompt({ tools, howTo, form = {} }: PromptParts): string {
  const { heading = '# Tools', frame = '<tools>\n$tools\n</tools>', isLast = false } = form
  const list = `You can call these functions:\n\n${fillIn(frame, { tools })}`
  const rules = `${howTo}${howTo.endsWith('.') ? ' ' : '\n\n'}Call only functions that are listed. When you have called what you need, stop and wait: the results come in the next message. When no function is needed, answer as usual.`
  return [heading, ...(isLast ? [rules, list] : [list, rules])].filter(Boolean).join('\n\n')
}

export interface PromptParts {
  readonly tools: string
  readonly howTo: string
  readonly form?: ToolsForm | undefined
}
