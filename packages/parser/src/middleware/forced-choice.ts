import type { ForcedChoice } from '../options/parser-options.js'
import { createCallSchema } from '../schema/call-schema.js'
import type { ToolChoice } from '../sdk/call-params.js'
import type { FunctionTool } from '../sdk/parts.js'
import { escapeControlTokens } from '../writing/control-tokens.js'

/** What is added to a request so that the model must call a tool. */
interface ForcedRequest {
  /** The sentence after the prompt that shows the tools. */
  readonly instruction: string
  /** The JSON Schema that the server enforces; undefined if only the prompt asks for a call. */
  readonly responseFormat: object | undefined
}

/**
 * Returns what a forced tool choice adds to a request. `json`: the answer is one JSON object,
 * `{"name": …, "arguments": {…}}`, and the server gets its schema. `prompt`: the prompt asks for a
 * call in the protocol's own format.
 */
export function createForcedRequest(
  choice: ToolChoice,
  tools: readonly FunctionTool[],
  way: ForcedChoice = 'json',
): ForcedRequest {
  const tool =
    choice.type === 'tool' ? tools.find(each => each.name === choice.toolName) : undefined
  const name = escapeControlTokens(JSON.stringify(tool?.name ?? 'function_name'))
  const must = `This time you must call ${tool ? `the function ${name}` : 'one of the functions'}.`
  if (way === 'prompt')
    return { instruction: `${must} Answer only with the call.`, responseFormat: undefined }
  return {
    instruction: `${must} Answer only with one JSON object, {"name": ${name}, "arguments": {…}}, and nothing around it.`,
    responseFormat: {
      type: 'json',
      schema: createCallSchema(tool ? [tool] : tools),
      name: 'tool_call',
      description: tool?.description,
    },
  }
}

/** Throws if the request has no function tool that a forced tool choice allows. */
export function checkForcedChoice(
  { type, toolName = '' }: ToolChoice,
  tools: readonly FunctionTool[],
): void {
  if (type === 'required' && tools.length === 0) {
    throw new TypeError(
      'toolChoice is "required", but the request has no function tool. Tools that the provider runs itself cannot be called by a text model. Add a tool, or leave toolChoice out.',
    )
  }
  if (type !== 'tool' || tools.some(tool => tool.name === toolName)) return
  const known =
    tools.length > 0
      ? `Its function tools are: ${tools.map(tool => tool.name).join(', ')}.`
      : 'It has none.'
  throw new TypeError(
    `toolChoice names ${JSON.stringify(toolName)}, which is not a function tool of this request. Tools that the provider runs itself cannot be chosen for a text model. ${known}`,
  )
}
