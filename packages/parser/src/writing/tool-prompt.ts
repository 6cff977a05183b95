import { isRecord } from '../is-record.js'
import type { FunctionTool } from '../sdk/parts.js'
import { fillTemplate } from './fill-template.js'
import { spacedJson } from './json-text.js'

/**
 * How a chat template shows the tools: what it writes for them, around them and above. The
 * sentences are ours.
 */
export interface ToolListTemplates {
  /**
   * What is written for one tool, or a template for that: `$tool` as most chat templates have it,
   * `$function` without the wrapper around it, `$tool4` and `$parameters2` as `tojson(indent=…)`
   * writes them, or the `$name`, the `$description` and the `$parameters`.
   */
  readonly tool?: string | ((tool: FunctionTool) => string) | undefined
  /** What stands between two tools. */
  readonly joint?: string | undefined
  /** All `$tools`, where more than their joint makes a list of them. */
  readonly list?: string | undefined
  /** Shows the tools, where they are not written one by one. */
  readonly show?: ((tools: readonly FunctionTool[]) => string) | undefined
  /** What stands around the `$tools` in the prompt. */
  readonly frame?: string | undefined
  readonly heading?: string | undefined
  /** The tools stand behind the words on how to call one. */
  readonly isLast?: boolean | undefined
}

/**
 * A prompt as chat templates have it: the tools, how to call one, and the rules that all formats
 * share.
 */
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

/** The tools as text, for the prompt. */
export function writeTools(form: ToolListTemplates, tools: readonly FunctionTool[]): string {
  const {
    tool: template = '$tool',
    list = '$tools',
    joint = list === '$tools' ? '\n' : ', ',
    show,
  } = form
  const writeTool = (tool: FunctionTool) => {
    if (typeof template !== 'string') return template(tool)
    const { name, description = '', parameters = {} } = toolFields(tool)
    return fillTemplate(template, {
      name,
      description,
      tool: spacedJson(openAiTool(tool)),
      tool4: JSON.stringify(openAiTool(tool), null, 4),
      function: spacedJson(toolFields(tool)),
      parameters: spacedJson(parameters),
      parameters2: JSON.stringify(parameters, null, 2),
    })
  }
  return show?.(tools) ?? fillTemplate(list, { tools: tools.map(writeTool).join(joint) })
}

/** A tool in the terms of OpenAI's interface, as the chat templates of most models show it. */
export const openAiTool = (tool: FunctionTool) => ({ type: 'function', function: toolFields(tool) })

/** The same without its wrapper. `$schema` says nothing to a model. */
export const toolFields = ({ name, description, inputSchema }: FunctionTool) => ({
  name,
  description,
  parameters: isRecord(inputSchema) ? { ...inputSchema, $schema: undefined } : inputSchema,
})

/** No marks and no heading: the tools alone. */
export const bareTools: ToolListTemplates = { heading: '', frame: '$tools' }

/** Nothing but the tools, each over several lines. */
export const indentedTools: ToolListTemplates = {
  heading: '',
  frame: '$tools',
  tool: '$tool4',
  joint: '\n\n',
}
