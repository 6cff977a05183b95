import { listProtocols } from '@toolglot/parser'
import { defineCommand } from '../command.js'
import { readCalls } from '../input/read-calls.js'
import { readTools } from '../input/read-tools.js'
import { jsonText } from '../json-text.js'
import { createPalette } from '../palette.js'
import { jsonOption, readProtocol, readProtocols, toolsOption } from '../protocol-option.js'
import { alignRows } from '../table.js'
import { ExitCode, hasColor } from '../terminal.js'
import { countOf, showInLine } from '../terminal-text.js'
import { UsageError } from '../usage-error.js'
import { measureProtocol, type ProtocolTokens } from './measure-protocol.js'
import { sampleCalls } from './sample-value.js'
import { loadTokenCounter, showTokens, tokenizerHint } from './token-counter.js'

export const tokensCommand = defineCommand({
  name: 'tokens',
  summary: 'the tokens of your tools and calls, in every format',
  description: `Counts, for every format, the tokens of your tools in the prompt (manual, paid as input of each request) and of calls as the model writes them (paid as output). It also reads each call back. The cheapest format comes first.

Without --calls it makes one call of each tool from its schema, with all arguments.`,
  options: {
    tools: toolsOption,
    calls: {
      type: 'string',
      value: 'FILE',
      completes: 'file',
      about: 'calls as JSON: a list of {"name", "arguments"}, or the output of "toolglot parse"',
    },
    protocols: {
      type: 'string',
      value: 'A,B',
      completes: 'protocols',
      about: 'only these formats',
    },
    top: { type: 'string', value: 'N', about: 'show only the first N' },
    json: jsonOption,
  },
  more: `Examples:
  toolglot tokens --tools tools.json --top 10
  toolglot tokens --tools tools.json --calls calls.json --protocols hermes,wire

Exit codes: 0 every call reads back, 1 one does not or a file cannot be read,
2 wrong usage.`,
  async run({ text, flag, count, ...surroundings }) {
    const { stdout, stderr } = surroundings
    const toolsFile = text('tools')
    if (toolsFile === undefined)
      throw new UsageError('tokens needs --tools FILE: it counts the tokens of these tools.')
    const top = count('top', Number.MAX_SAFE_INTEGER)
    const given = text('protocols')
    const protocols = given === undefined ? listProtocols().map(readProtocol) : readProtocols(given)
    const tools = await readTools(toolsFile)
    const callsFile = text('calls')
    const calls = callsFile === undefined ? sampleCalls(tools) : await readCalls(callsFile)
    const counter = await loadTokenCounter()
    const all: ProtocolTokens[] = []
    for (const each of protocols) all.push(await measureProtocol(each, { tools, calls, counter }))
    const rows = all.sort((a, b) => a.total - b.total).slice(0, top)
    const callCount = calls.length
    if (flag('json')) {
      const isSampled = callsFile === undefined
      const result = {
        tokenizer: counter.name,
        toolCount: tools.length,
        callCount,
        isSampled,
        protocols: rows,
      }
      stdout.write(`${jsonText(result, 2)}\n`)
    } else {
      const { bold, red } = createPalette(hasColor(surroundings))
      const [heading = '', ...lines] = alignRows(
        [
          ['format', 'manual', 'calls', 'total', 'reads back'],
          ...rows.map(({ protocol, manual, calls: written, total, loss }) => [
            protocol,
            ...[manual, written, total].map(tokens => showTokens(tokens, counter)),
            loss === undefined ? 'yes' : `NO: ${showInLine(loss)}`,
          ]),
        ],
        [1, 2, 3],
      )
      const made = callsFile === undefined ? ' (made from the schemas)' : ''
      stdout.write(
        `Tokens (${counter.name}) of ${countOf(tools.length, 'tool')} and ${countOf(callCount, 'call')}${made}\n\n`,
      )
      stdout.write(
        `${bold(heading)}\n${lines.map((line, i) => (rows[i]?.loss ? red(line) : line)).join('\n')}\n`,
      )
      if (!counter.isExact) stderr.write(`\n${tokenizerHint}\n`)
    }
    return rows.some(({ loss }) => loss !== undefined) ? ExitCode.failure : ExitCode.success
  },
})
