import { isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { escapeControlTokens } from './control-tokens.js'
import { fillTemplate } from './fill-template.js'
import { escapeMarks, spacedJson } from './json-text.js'

/** The templates for the tools in the prompt, as the chat template of a model has them. */
export interface ToolListTemplates {
  /**
   * One tool: a function that writes it, or a template with these holes:
   * - `$tool`: the tool as JSON, as most chat templates have it
   * - `$function`: the same without its wrapper
   * - `$tool4`, `$parameters2`: JSON as `tojson(indent=4)` and `tojson(indent=2)` write it
   * - `$name`, `$description`, `$parameters`
   */
  readonly tool?: string | ((tool: FunctionTool) => string) | undefined
  /** The values of further holes of the template `tool`, with special tokens escaped. */
  readonly moreHoles?: ((tool: FunctionTool) => Readonly<Record<string, string>>) | undefined
  /** The text between two tools. */
  readonly joint?: string | undefined
  /** The text around all `$tools` that makes them a list: `[$tools]`. */
  readonly list?: string | undefined
  /** Writes all tools together, for formats that do not write them one by one. */
  readonly show?: ((tools: readonly FunctionTool[]) => string) | undefined
  /** The text around the list of `$tools` in the prompt. */
  readonly frame?: string | undefined
  /** The heading of the prompt. */
  readonly heading?: string | undefined
  /** The tools come after the explanation of how to call one. */
  readonly isLast?: boolean | undefined
}

/** Writes a prompt: the tools, how to call one, and the rules that all formats share. */
export function functionPrompt({
  tools,
  howTo,
  form,
}: Record<'tools' | 'howTo', string> & { form: ToolListTemplates }) {
  const { heading = '# Tools', frame = '<tools>\n$tools\n</tools>', isLast = false } = form
  const list = `You can call these functions:\n\n${fillTemplate(frame, { tools })}`
  const rules = `${howTo}${howTo.endsWith('.') ? ' ' : '\n\n'}Call only functions that are listed. When you have called what you need, stop and wait: the results come in the next message. When no function is needed, answer as usual.`
  return [heading, ...(isLast ? [rules, list] : [list, rules])].filter(Boolean).join('\n\n')
}

/**
 * Writes the tools, for the prompt. Descriptions may come from a third party, so special tokens, tags
 * that models know and the marks of the format are escaped in them (decision 79). A function that
 * writes a tool escapes them itself.
 */
export function writeTools(
  form: ToolListTemplates,
  tools: readonly FunctionTool[],
  marks: readonly string[] = [],
): string {
  const {
    tool: template = '$tool',
    list = '$tools',
    joint = list === '$tools' ? '\n' : ', ',
    show,
    moreHoles,
  } = form
  const holes = Object.entries(toolHoles).filter(([key]) => String(template).includes(`$${key}`))
  const writeTool = (tool: FunctionTool) => {
    if (typeof template !== 'string') return template(tool)
    const escaped = holes.map(([key, write]) => [
      key,
      escapeMarks(escapeControlTokens(write(tool)), marks),
    ])
    return fillTemplate(template, { ...Object.fromEntries(escaped), ...moreHoles?.(tool) })
  }
  return show?.(tools) ?? fillTemplate(list, { tools: tools.map(writeTool).join(joint) })
}

/** What fills the holes of a template for a tool. Only those that it has are written. */
const toolHoles: Readonly<Record<string, (tool: FunctionTool) => string>> = {
  name: tool => tool.name,
  description: ({ description = '' }) => description,
  tool: tool => spacedJson(openAiTool(tool)),
  tool4: tool => JSON.stringify(openAiTool(tool), null, 4),
  function: tool => spacedJson(toolFields(tool)),
  parameters: tool => spacedJson(parametersOf(tool)),
  parameters2: tool => JSON.stringify(parametersOf(tool), null, 2),
}

function parametersOf(tool: FunctionTool): unknown {
  const { parameters = {} } = toolFields(tool)
  return parameters
}

/** Writes a tool, or a part of one, as JSON in which special tokens are escaped. */
export const toolJson = (value: unknown): string => escapeControlTokens(spacedJson(value))

/** Returns a tool as in OpenAI's API, which the chat templates of most models show. */
export const openAiTool = (tool: FunctionTool) => ({ type: 'function', function: toolFields(tool) })

/** Returns the same without its wrapper. A model does not need `$schema`. */
export const toolFields = ({ name, description, inputSchema }: FunctionTool) => ({
  name,
  description,
  parameters: isRecord(inputSchema) ? { ...inputSchema, $schema: undefined } : inputSchema,
})

/** Only the tools, without marks and heading. */
export const bareTools: ToolListTemplates = { heading: '', frame: '$tools' }

/** Only the tools, each on several lines. */
export const indentedTools: ToolListTemplates = {
  heading: '',
  frame: '$tools',
  tool: '$tool4',
  joint: '\n\n',
}
