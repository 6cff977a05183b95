import type {
  FunctionTool,
  Part,
  TextContent,
  ToolCallContent,
  ToolCallProtocol,
} from '@toolglot/parser'
import { defineProtocol, jsonCalls } from '@toolglot/parser/protocol'

/** A protocol of own marks around JSON, made of what the library has: `[[call]]{…}[[/call]]`. */
export function bracketProtocol(): ToolCallProtocol {
  return defineProtocol({
    grammar: jsonCalls({ open: '[[call]]', close: '[[/call]]' }),
    renderTools: tools =>
      tools.map(tool => `- ${tool.name}: ${JSON.stringify(tool.inputSchema)}`).join('\n'),
    toolSystemPromptTemplate: toolsText =>
      `You may call:\n${toolsText}\nWrite [[call]]{"name": …}[[/call]].`,
    formatToolCall: ({ toolName, input }) =>
      `[[call]]${JSON.stringify({ name: toolName, arguments: input })}[[/call]]`,
    formatToolResponse: ({ toolName, output }) =>
      `[[result ${toolName}]]${JSON.stringify(output)}[[/result]]`,
  })
}

/** A protocol that owes the library nothing but its form: one line a call, `!name {json}`. */
export function plainProtocol(): ToolCallProtocol {
  const readLine = (
    line: string,
    tools: readonly FunctionTool[],
  ): TextContent | ToolCallContent => {
    const [, toolName = '', input = ''] = /^!(\w+) (\{.*\})$/.exec(line) ?? []
    if (!tools.some(tool => tool.name === toolName)) return { type: 'text', text: line }
    return { type: 'tool-call', toolCallId: crypto.randomUUID(), toolName, input }
  }
  const parse = (text: string, tools: readonly FunctionTool[]) =>
    text
      .split(/\n|(?= !)/)
      .map(line => readLine(line.trim(), tools))
      .filter(part => part.type === 'tool-call' || part.text !== '')

  return {
    formatTools: ({ tools, toolSystemPromptTemplate }) =>
      toolSystemPromptTemplate(
        `${tools.map(tool => tool.name).join(', ')}\nCall with a line !name {json}.`,
      ),
    formatToolCall: ({ toolName, input }) => `!${toolName} ${JSON.stringify(input)}`,
    formatToolResponse: ({ toolName, output }) => `?${toolName} ${JSON.stringify(output)}`,
    parseGeneratedText: ({ text, tools }) => parse(text, tools),
    createStreamParser({ tools }) {
      // Text flows until a line may be a call; that line is held until the text ends.
      let held = ''
      let id = ''
      return new TransformStream<Part, Part>({
        transform(part, controller) {
          if (isDelta(part)) {
            id = part.id
            if (held || part.delta.includes('!')) held += part.delta
            else controller.enqueue(part)
            return
          }
          if (part.type === 'text-end' && held) {
            for (const each of parse(held, tools)) {
              controller.enqueue(each.type === 'text' ? delta(id, each.text) : each)
            }
            held = ''
          }
          controller.enqueue(part)
        },
      })
    },
  }
}

interface Delta extends Part {
  readonly id: string
  readonly delta: string
}

function isDelta(part: Part): part is Delta {
  return part.type === 'text-delta'
}

function delta(id: string, text: string): Delta {
  return { type: 'text-delta', id, delta: text }
}
