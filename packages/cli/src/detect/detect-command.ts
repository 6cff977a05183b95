import { detectProtocol, getProtocolInfo, type ProtocolDetection } from '@toolglot/parser'
import { type CommandContext, defineCommand, wrapText } from '../command.js'
import { readAllText, readFileText } from '../input/read-text.js'
import { readTools } from '../input/read-tools.js'
import { jsonText } from '../json-text.js'
import { createPalette } from '../palette.js'
import { jsonOption, toolsOption } from '../protocol-option.js'
import { ExitCode, hasColor } from '../terminal.js'
import { UsageError } from '../usage-error.js'

const reasons = {
  modelId: "found by the model's id",
  chatTemplate: 'found by the chat template',
  text: 'found by the text of the model',
} as const

type DetectContext = CommandContext<'model' | 'template' | 'tools' | 'json'>

export const detectCommand = defineCommand({
  name: 'detect',
  summary: 'which format a model uses: by its id, its template or its text',
  usage: '[FILE]',
  operands: 'file',
  description:
    "Finds the built-in format that a model uses: by its text (FILE or stdin), its id, or its chat template. The first line is the format's name.",
  options: {
    model: {
      type: 'string',
      value: 'ID',
      about: 'the id of a model, such as Qwen/Qwen3-Coder-30B-A3B-Instruct',
    },
    template: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      about: 'a chat template (Jinja)',
    },
    tools: { ...toolsOption, about: 'the declared tools: only calls of these are considered' },
    json: jsonOption,
  },
  more: `Examples:
  toolglot detect --model zai-org/GLM-4.6
  toolglot detect answer.txt

Exit codes: 0 found, 1 not found or a file cannot be read, 2 wrong usage.`,
  async run(context) {
    const { flag, stdout, stderr } = context
    const found = detectProtocol(await readHints(context))
    if (flag('json')) {
      stdout.write(
        `${jsonText(found ? { ...found, family: getProtocolInfo(found.protocol)?.family } : null)}\n`,
      )
    } else if (found) stdout.write(renderDetection(found, context))
    else stderr.write('toolglot: no built-in format matches. "toolglot formats" lists them.\n')
    return found ? ExitCode.success : ExitCode.failure
  },
})

async function readHints(context: DetectContext) {
  const { operands, text } = context
  const modelId = text('model')
  const template = text('template')
  const toolsFile = text('tools')
  const given = [modelId, template, operands[0]].filter(each => each !== undefined)
  if (given.length > 1) throw new UsageError('detect takes one of FILE, --model and --template.')
  if (modelId !== undefined) return { modelId }
  if (template !== undefined) return { chatTemplate: await readFileText(template) }
  const tools = toolsFile === undefined ? undefined : await readTools(toolsFile)
  return { text: await readAllText(operands[0], context), tools }
}

function renderDetection(
  { protocol, by, alternatives }: ProtocolDetection,
  context: DetectContext,
): string {
  const { bold, dim } = createPalette(hasColor(context))
  const family = getProtocolInfo(protocol)?.family ?? ''
  const details = [
    reasons[by],
    ...(family ? [`models: ${family}`] : []),
    ...(alternatives.length ? [`also matches: ${alternatives.join(', ')}`] : []),
  ]
  const lines = details.flatMap(each => wrapText(each, 78)).map(line => dim(`  ${line}`))
  return `${[bold(protocol), ...lines].join('\n')}\n`
}
