import { defineCommand } from '../command.js'
import { readingOptions, readingOptionsOf } from '../input/parser-options.js'
import { readAllText } from '../input/read-text.js'
import { readTools } from '../input/read-tools.js'
import { jsonText } from '../json-text.js'
import { createLineIndex } from '../line-index.js'
import {
  checkTools,
  jsonOption,
  protocolOption,
  readProtocol,
  toolsOption,
} from '../protocol-option.js'
import { ExitCode, hasColor } from '../terminal.js'
import { type Analysis, analyze } from './analysis.js'
import { renderAnalysis } from './render-analysis.js'

export const explainCommand = defineCommand({
  name: 'explain',
  summary: 'the text with its calls marked, and the reasons for each decision',
  usage: '[FILE]',
  operands: 'file',
  description: `Shows the text of a model, from FILE or stdin, with text, reasoning, markup, names and arguments in colors (without colors: with signs in the line below). Then it lists the decisions of the parser: a mark was found, it opens a call or is prose, something was repaired, a value was coerced to the type of the schema, reasoning started or ended, a call was cut off.

Colors are used in a terminal; NO_COLOR turns them off, FORCE_COLOR on.`,
  options: {
    protocol: protocolOption,
    tools: toolsOption,
    ...readingOptions,
    'max-held': {
      type: 'string',
      value: 'N',
      about: 'how many characters the parser may hold back until it knows what they are',
    },
    json: { ...jsonOption, about: 'print spans, decisions and calls as JSON' },
  },
  more: `Examples:
  toolglot explain answer.txt --tools tools.json
  toolglot explain --protocol hermes --json < answer.txt | jq .decisions

Exit codes: 0 done, 1 a file cannot be read, or a problem with --strict,
2 wrong usage.`,
  async run({ operands, flag, text, count, ...surroundings }) {
    const { stdout } = surroundings
    const named = readProtocol(text('protocol') ?? 'auto')
    const toolsFile = text('tools')
    const tools = toolsFile === undefined ? [] : await readTools(toolsFile)
    checkTools('explain', named, tools)
    const maxHeldChars = text('max-held') === undefined ? undefined : count('max-held', 1)
    const options = { ...readingOptionsOf(flag, text), maxHeldChars }
    const written = await readAllText(operands[0], surroundings)
    const analysis = analyze(written, { named, tools, options, isCut: flag('cut') })
    if (flag('json')) stdout.write(`${jsonText(asJson(analysis, named.name), 2)}\n`)
    else
      stdout.write(
        renderAnalysis(analysis, {
          columns: stdout.columns ?? 80,
          hasColor: hasColor(surroundings),
        }),
      )
    return flag('strict') && analysis.problemCount > 0 ? ExitCode.failure : ExitCode.success
  },
})

function asJson({ text, spans, decisions, calls }: Analysis, protocol: string) {
  const lines = createLineIndex()
  lines.add(text)
  return {
    protocol,
    spans: spans.map(span => ({
      ...span,
      ...lines.placeOf(span.start),
      text: text.slice(span.start, span.end),
    })),
    decisions,
    calls,
  }
}
