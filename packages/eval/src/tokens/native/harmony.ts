import type { FunctionTool } from '@toolglot/parser'
import { isRecord } from '../../is-record.js'
import type { SpecialToken } from '../tokenizer.js'
import type { Baseline } from './baseline.js'
import { renderTypeScript } from './harmony-types.js'

const special = (name: string): SpecialToken => ({ special: `<|${name}|>` })

/**
 * The format of gpt-oss, as OpenAI has published it (github.com/openai/harmony):
 *
 * `<|channel|>commentary to=functions.f <|constrain|>json<|message|>{"a":1}<|call|>`
 *
 * The model stops after each call, and the next request ends with `<|start|>assistant`, so the model
 * writes nothing between two calls.
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

/** Writes the section of the developer message, and the line in the system message for it. */
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
