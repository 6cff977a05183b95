import { defineCommand } from '../command.js'
import { readingOptions, readingOptionsOf } from '../input/parser-options.js'
import { readChunks } from '../input/read-text.js'
import { readTools } from '../input/read-tools.js'
import { createLineIndex } from '../line-index.js'
import { checkTools, protocolOption, readProtocol, toolsOption } from '../protocol-option.js'
import { ExitCode, writeAll } from '../terminal.js'
import { createPartLines } from './part-lines.js'

export const parseCommand = defineCommand({
  name: 'parse',
  summary: "the text, reasoning and tool calls of a model's answer, as JSON lines",
  usage: '[FILE]',
  operands: 'file',
  description: `Reads the text of a model, from FILE or stdin, and prints one JSON object per line:
{"type":"text","text"}, {"type":"reasoning","text"}, {"type":"tool-call","toolName","input","offset"} and, for a call with a problem, {"type":"problem","code","message","line","column"} before it. Such a call has "invalid":true, and its input is text. Offsets count UTF-16 units from 0, lines and columns from 1.`,
  options: {
    protocol: protocolOption,
    tools: toolsOption,
    stream: {
      type: 'boolean',
      about:
        'print each event as soon as its text has arrived: text-delta, tool-input-delta and so on',
    },
    ...readingOptions,
  },
  more: `Examples:
  toolglot parse answer.txt --tools tools.json
  curl -sN … | toolglot parse --protocol hermes --stream
  toolglot parse answer.txt --protocol hermes | jq 'select(.toolName)'

Exit codes: 0 done, 1 a file cannot be read, or a problem with --strict,
2 wrong usage.`,
  async run({ operands, flag, text, ...surroundings }) {
    const { stdout } = surroundings
    const named = readProtocol(text('protocol') ?? 'auto')
    const toolsFile = text('tools')
    const tools = toolsFile === undefined ? [] : await readTools(toolsFile)
    checkTools('parse', named, tools)
    const lines = createLineIndex()
    // The lines of one piece are written together: one write per line would be slow.
    let out = ''
    const parts = createPartLines({
      isStream: flag('stream'),
      lines,
      put(line) {
        out += `${line}\n`
      },
    })
    const flush = async () => {
      const text = out
      out = ''
      if (text !== '') await writeAll(stdout, text)
    }
    const scanner = named.protocol.createScanner({
      tools,
      options: readingOptionsOf(flag, text),
      emit: parts.take,
    })
    for await (const chunk of readChunks(operands[0], surroundings)) {
      lines.add(chunk)
      scanner.feed(chunk)
      await flush()
    }
    scanner.end(flag('cut'))
    parts.end()
    await flush()
    return flag('strict') && parts.problemCount() > 0 ? ExitCode.failure : ExitCode.success
  },
})
