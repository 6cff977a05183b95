/**
 * The types that MIGRATE.md promises. `tsc -p tsconfig.test.json` is the test: it fails if one of
 * them disappears.
 */
import type {
  CompactToolsOptions,
  DebugLevel,
  MediaStrategy,
  MiddlewareOptions,
  MorphXmlProtocolOptions,
  OnError,
  OnErrorFn,
  ParserOptions,
  TCMCoreProtocol,
  TCMProtocol,
  ToolCallMiddlewareProviderOptions,
  ToolCallOptions,
  ToolCallProtocol,
  ToolMiddlewareOptions,
  ToolResponseMediaMode,
  ToolResponsePromptTemplate,
  ToolResponsePromptTemplateResult,
  ToolResponseUserContentPart,
} from '@toolglot/parser'
import { createToolMiddleware, hermesProtocol } from '@toolglot/parser'
import { describe, expect, expectTypeOf, test } from 'vitest'

describe('the types of older packages', () => {
  test('are the types that the table names', () => {
    expectTypeOf<TCMProtocol>().toEqualTypeOf<ToolCallProtocol>()
    expectTypeOf<TCMCoreProtocol>().toEqualTypeOf<ToolCallProtocol>()
    expectTypeOf<OnErrorFn>().toEqualTypeOf<OnError>()
    expectTypeOf<ToolResponseMediaMode>().toEqualTypeOf<MediaStrategy>()
    expectTypeOf<ToolResponsePromptTemplateResult>().toEqualTypeOf<
      ReturnType<ToolResponsePromptTemplate>
    >()
    expectTypeOf<ToolResponseUserContentPart>().toExtend<{ readonly type: string }>()
    expectTypeOf<DebugLevel>().toExtend<MiddlewareOptions['debug']>()
    expectTypeOf<ToolCallMiddlewareProviderOptions['toolCallMiddleware']>().toEqualTypeOf<
      ToolCallOptions | undefined
    >()
  })

  test('have the options that the tables name', () => {
    expectTypeOf<
      Pick<ToolMiddlewareOptions, 'protocol' | 'toolSystemPromptTemplate' | 'placement'>
    >().toBeObject()
    expectTypeOf<Pick<ParserOptions, 'onError' | 'emitRawToolCallTextOnError'>>().toBeObject()
    expectTypeOf<Pick<MorphXmlProtocolOptions, 'originalToolSchemas'>>().toBeObject()
    const compact: CompactToolsOptions = {
      syntax: 'wire',
      fallbackToJson: 'complex',
      placement: 'last',
      manualHeader: 'Tools:',
      stripPreamble: true,
      debug: true,
    }
    expect(Object.keys(compact)).toHaveLength(6)
  })

  test('fit where they are used', () => {
    const onError: OnErrorFn = (message, { code }) => `${code}: ${message}`
    const debug: DebugLevel = 'parse'
    const mediaStrategy: ToolResponseMediaMode = 'model'
    const protocol: TCMProtocol = hermesProtocol({
      toolCallStart: '<call>',
      toolCallEnd: '</call>',
    })
    expect(createToolMiddleware({ protocol, onError, debug, mediaStrategy })).toBeDefined()
  })

  test('allow an onError with metadata of any kind, as it was written for 2.x to 5.x', () => {
    const onError = (message: string, metadata?: Record<string, unknown>) =>
      `${message} ${metadata?.toolCall}`
    expect(createToolMiddleware({ onError })).toBeDefined()
  })

  test('refuse a template that takes the tools as its first argument', () => {
    const toolSystemPromptTemplate = (tools: { name: string }[]) =>
      tools.map(tool => tool.name).join()
    // @ts-expect-error the first argument is text
    createToolMiddleware({ toolSystemPromptTemplate })
  })
})
