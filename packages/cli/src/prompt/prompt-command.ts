import { detectProtocol } from '@toolglot/parser'
import { defineCommand } from '../command.js'
import { callOfText } from '../input/read-calls.js'
import { readTools } from '../input/read-tools.js'
import { jsonText } from '../json-text.js'
import { createPalette } from '../palette.js'
import { jsonOption, protocolOption, readProtocol, toolsOption } from '../protocol-option.js'
import { ExitCode, hasColor } from '../terminal.js'
import { showControls } from '../terminal-text.js'
import { writeSystemPrompt } from '../tokens/system-prompt.js'
import { loadTokenCounter, showTokens, tokenizerHint } from '../tokens/token-counter.js'
import { UsageError } from '../usage-error.js'

export const promptCommand = defineCommand({
  name: 'prompt',
  summary: 'the prompt with your tools as a model gets it, and its tokens',
  description:
    'Prints the system message with your tools as the model gets it, and then, on stderr, the number of its tokens. With --call it also prints the call as the model would write it.',
  options: {
    tools: toolsOption,
    protocol: {
      ...protocolOption,
      about: 'the format: a name from "toolglot formats", or auto (default), see --model',
    },
    model: {
      type: 'string',
      value: 'ID',
      about: 'the model: its id selects the format if that is auto',
    },
    system: {
      type: 'string',
      value: 'TEXT',
      about: 'your own system message, to which the tools are added',
    },
    call: {
      type: 'string',
      value: 'JSON',
      multiple: true,
      about: 'a call like {"name": "get_weather", "arguments": {"city": "Oslo"}}; may be repeated',
    },
    json: jsonOption,
  },
  more: `Examples:
  toolglot prompt --tools tools.json --protocol hermes
  toolglot prompt --tools tools.json --model Qwen/Qwen3-Coder-30B-A3B-Instruct
  toolglot prompt --tools tools.json --protocol wire \\
    --call '{"name":"get_weather","arguments":{"city":"Oslo"}}'

Exit codes: 0 done, 1 a file cannot be read, 2 wrong usage.`,
  async run({ text, list, flag, ...surroundings }) {
    const { stdout, stderr } = surroundings
    const toolsFile = text('tools')
    if (toolsFile === undefined)
      throw new UsageError(
        'prompt needs --tools FILE: it prints these tools as the model gets them.',
      )
    const given = readProtocol(text('protocol') ?? 'auto')
    const modelId = text('model')
    const asked = given.name === 'auto' ? askedFormat(modelId) : given.name
    const { protocol } = readProtocol(asked)
    const tools = await readTools(toolsFile)
    const toolCalls = list('call').map((call, i) => ({
      toolCallId: `call-${i}`,
      ...callOfText(call),
    }))
    const counter = await loadTokenCounter()
    const system = await writeSystemPrompt({
      protocol: given.name,
      tools,
      system: text('system'),
      modelId,
    })
    const calls = toolCalls.length
      ? (protocol.formatToolCalls?.(toolCalls, { tools }) ?? '')
      : undefined
    const sizeOf = (each: string) => ({
      text: each,
      tokens: counter.count(each),
      characters: each.length,
    })

    if (flag('json')) {
      const written = calls === undefined ? {} : { calls: sizeOf(calls) }
      const result = {
        protocol: asked,
        tokenizer: counter.name,
        system: sizeOf(system),
        ...written,
      }
      stdout.write(`${jsonText(result, 2)}\n`)
      return ExitCode.success
    }
    const { dim } = createPalette(hasColor({ ...surroundings, stdout: stderr }))
    const describe = (what: string, each: string) =>
      `${what} in ${asked}: ${showTokens(counter.count(each), counter)} tokens (${counter.name}), ${each.length.toLocaleString('en-US')} characters`
    // A pipe gets every character unchanged.
    const show = (each: string) => (stdout.isTTY ? showControls(each) : each)
    stdout.write(`${show(system)}\n`)
    stderr.write(`${dim(`-- ${describe('prompt', system)}`)}\n`)
    if (calls !== undefined) {
      stdout.write(`\n${show(calls)}\n`)
      stderr.write(`${dim(`-- ${describe(toolCalls.length === 1 ? 'call' : 'calls', calls)}`)}\n`)
    }
    if (!counter.isExact) stderr.write(`${dim(tokenizerHint)}\n`)
    return ExitCode.success
  },
})

/** Returns the format that `auto` uses for the prompt. */
function askedFormat(modelId: string | undefined): string {
  return (modelId === undefined ? undefined : detectProtocol({ modelId })?.protocol) ?? 'hermes'
}
