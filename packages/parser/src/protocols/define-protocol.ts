import { markStrength } from '../engine/mark-strength.js'
import { checkOptionNames, type OptionNames } from '../options/check-options.js'
import { createPartReader } from '../response/part-reader.js'
import { pullThrough } from '../response/pull-through.js'
import { contentOf } from '../response/whole-content.js'
import { unwrapTools } from '../schema/unwrap-schema.js'
import { isContent, type Part } from '../sdk/parts.js'
import type { EngineProtocol, FormatContext, ProtocolDefinition } from './protocol.js'
import { createGrammarScanner, createToolShapes, readCalls } from './request-scanner.js'

const definitionNames: OptionNames<ProtocolDefinition> = {
  grammar: true,
  renderTools: true,
  toolSystemPromptTemplate: true,
  formatToolCall: true,
  formatToolCalls: true,
  formatToolResponse: true,
  formatToolResponses: true,
  originalToolSchemas: true,
  reasoning: true,
  callsInReasoning: true,
  hasSpecialTokens: true,
  silent: true,
  otherForms: true,
}

/**
 * Makes a protocol from data: a grammar reads the calls, and functions write calls, results and the
 * prompt.
 *
 * @example
 * ```ts
 * import { createToolMiddleware } from '@toolglot/parser'
 * import { defineProtocol, jsonCalls } from '@toolglot/parser/protocol'
 *
 * const protocol = defineProtocol({
 *   grammar: jsonCalls({ open: '[CALL]', close: '[/CALL]' }),
 *   renderTools: tools => tools.map(tool => JSON.stringify(tool)).join('\n'),
 *   toolSystemPromptTemplate: toolsText =>
 *     `Functions:\n${toolsText}\nTo call one, write [CALL]{"name": "…", "arguments": {…}}[/CALL].`,
 *   formatToolCall: ({ toolName, input }) =>
 *     `[CALL]${JSON.stringify({ name: toolName, arguments: input })}[/CALL]`,
 *   formatToolResponse: ({ output }) => `[RESULT]${JSON.stringify(output)}[/RESULT]`,
 * })
 *
 * export const middleware = createToolMiddleware({ protocol })
 * ```
 */
export function defineProtocol(definition: ProtocolDefinition): EngineProtocol {
  checkOptionNames('defineProtocol', definition, definitionNames)
  return createEngineProtocol(definition)
}

/** Makes a protocol. The definition may have further fields, which are ignored. */
export function createEngineProtocol(definition: ProtocolDefinition): EngineProtocol {
  const { grammar, renderTools, toolSystemPromptTemplate: ownTemplate } = definition
  const {
    formatToolCall: writeCall,
    formatToolCalls,
    formatToolResponse,
    formatToolResponses,
  } = definition
  const writeCalls =
    formatToolCalls ?? ((calls, context) => calls.map(call => writeCall(call, context)).join('\n'))
  const writeResults =
    formatToolResponses ??
    ((results, context) => results.map(each => formatToolResponse(each, context)).join('\n'))
  const {
    hasSpecialTokens = grammar(createToolShapes([])).some(mark => markStrength(mark) === 'token'),
  } = definition
  const newScanner = createGrammarScanner(definition)

  return {
    definition: { ...definition, hasSpecialTokens },
    formatTools({ tools: givenTools, toolSystemPromptTemplate = ownTemplate }) {
      const tools = unwrapTools(givenTools)
      const prompt = toolSystemPromptTemplate(renderTools(tools), tools)
      const examples = tools.flatMap(({ name: toolName, inputExamples = [] }) =>
        inputExamples.map(({ input }) => writeCall({ toolCallId: '', toolName, input }, { tools })),
      )
      return examples.length ? `${prompt}\n\nExamples of calls:\n${examples.join('\n')}` : prompt
    },
    formatToolCall: (toolCall, context) => writeCall(toolCall, unwrapContext(context)),
    formatToolCalls: (toolCalls, context) => writeCalls(toolCalls, unwrapContext(context)),
    formatToolResponse: (toolResult, context) =>
      formatToolResponse(toolResult, unwrapContext(context)),
    formatToolResponses: (toolResults, context) =>
      writeResults(toolResults, unwrapContext(context)),
    createScanner: newScanner,
    parseGeneratedText({ text, tools, options = {} }) {
      const finish = { type: 'finish', finishReason: options.isCut ? 'length' : 'stop' }
      const read = createPartReader(newScanner, { tools, options })
      return contentOf([{ type: 'text-delta', delta: text }, finish].flatMap(read)).filter(
        isContent,
      )
    },
    createStreamParser(context) {
      const { readable, writable } = new TransformStream<Part, Part>()
      return { writable, readable: pullThrough(readable, createPartReader(newScanner, context)) }
    },
    extractToolCallSegments: ({ text, tools }) =>
      readCalls(newScanner, text, tools).map(call => call.raw),
  }
}

const unwrapContext = ({ tools, ...others }: FormatContext = {}): FormatContext =>
  tools ? { ...others, tools: unwrapTools(tools) } : others
