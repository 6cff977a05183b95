import type { FunctionTool } from '@toolglot/parser'
import { isRecord } from '../../is-record.js'
import type { SpecialToken } from '../tokenizer.js'
import type { Baseline } from './baseline.js'
import { renderTypeScript } from './harmony-types.js'

const special = (name: string): SpecialToken => ({ special: `<|${name}|>` })

/**
 * What gpt-oss itself reads and writes, as OpenAI has published it (github.com/openai/harmony):
 *
 * `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":1}<|call|>`
 *
 * The model stops at each call and is asked again for the next one; the request then ends with
 * `<|start|>assistant`, so nothing stands between two calls that the model would have to write.
 */
export const harmony: Baseline = {
  name: 'harmony',
  title: 'gpt-oss (harmony)',
  writeDefinitions: tools => [renderTools(tools)],
  writeCalls: calls =>
    calls.flatMap(({ toolName, args }) => [
      special('channel'),
      `commentary to=functions.${toolName} `,
      special('constrain'),
      'json',
      special('message'),
      JSON.stringify(args),
      special('call'),
    ]),
}

/** The section of the developer message, and the line that the system message gets with it. */
function renderTools(tools: readonly FunctionTool[]): string {
  return [
    "Calls to these tools must go to the commentary channel: 'functions'.",
    '# Tools\n\n## functions\n\nnamespace functions {\n',
    ...tools.map(renderTool),
    '} // namespace functions',
  ].join('\n')
}

function renderTool({ name, description, inputSchema }: FunctionTool): string {
  const comment = description === undefined ? '' : `${description.replaceAll(/^/gm, '// ')}\n`
  const hasArguments =
    isRecord(inputSchema) &&
    isRecord(inputSchema.properties) &&
    Object.keys(inputSchema.properties).length > 0
  return `${comment}type ${name} = (${hasArguments ? `_: ${renderTypeScript(inputSchema)}` : ''}) => any;\n`
}
