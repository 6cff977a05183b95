/**
 * The names that older packages export, values and types, by the heading of the section in
 * MIGRATE.md that lists them.
 */
const releases: Readonly<Record<string, string>> = {
  'Names of 2.x': `
    RJSON createDynamicIfThenElseSchema createToolMiddleware decodeOriginalTools encodeOriginalTools escapeRegExp
    extractOnErrorOption extractToolNamesFromOriginalTools gemmaToolMiddleware getDebugLevel getPotentialStartIndex
    hasInputProperty hermesToolMiddleware isToolCallContent isToolChoiceActive isToolResultPart jsonMixProtocol
    logParsedChunk logParsedSummary logRawChunk morphXmlProtocol morphXmlToolMiddleware originalToolsSchema
    sijawaraConciseXmlToolMiddleware sijawaraDetailedXmlToolMiddleware
    DebugLevel OnErrorFn ParseOptions ToolCallMiddlewareProviderOptions`,
  'Names of 3.x': `
    createDynamicIfThenElseSchema createToolMiddleware decodeOriginalTools encodeOriginalTools escapeRegExp
    extractOnErrorOption extractToolNamesFromOriginalTools getDebugLevel getPotentialStartIndex hasInputProperty
    hermesToolMiddleware isProtocolFactory isTCMProtocolFactory isToolChoiceActive isToolResultPart jsonProtocol
    logParseFailure logParsedChunk logParsedSummary logRawChunk originalToolsSchema parse stringify toolChoiceStream
    transform transformParams wrapGenerate wrapStream xmlProtocol xmlToolMiddleware yamlProtocol yamlToolMiddleware
    sijawaraConciseXmlToolMiddleware sijawaraDetailedXmlToolMiddleware coerceBySchema getSchemaType unwrapJsonSchema
    DebugLevel OnErrorFn ParseOptions ParserOptions StringifyOptions TCMCoreProtocol TCMProtocol
    ToolCallMiddlewareProviderOptions XmlProtocolOptions YamlProtocolOptions`,
  'Names of 4.x': `
    Qwen3CoderToolParser createDynamicIfThenElseSchema createToolMiddleware decodeOriginalTools
    decodeOriginalToolsFromProviderOptions encodeOriginalTools escapeRegExp extractOnErrorOption
    extractToolNamesFromOriginalTools getDebugLevel getPotentialStartIndex getToolCallMiddlewareOptions hasInputProperty
    hermesProtocol hermesToolMiddleware isProtocolFactory isTCMProtocolFactory isToolChoiceActive isToolResultPart
    logParseFailure logParsedChunk logParsedSummary logRawChunk mergeToolCallMiddlewareOptions morphXmlProtocol
    morphXmlToolMiddleware originalToolsSchema parse qwen3CoderProtocol qwen3CoderToolMiddleware stringify
    toolChoiceStream transform transformParams uiTarsXmlProtocol wrapGenerate wrapStream yamlXmlProtocol
    yamlXmlToolMiddleware sijawaraConciseXmlToolMiddleware sijawaraDetailedXmlToolMiddleware uiTarsToolMiddleware
    coerceBySchema compileSafePatternPropertyRegex getSchemaType schemaIsUnconstrained unwrapJsonSchema
    DebugLevel MorphXmlProtocolOptions OnErrorFn ParseOptions ParserOptions StringifyOptions TCMCoreProtocol TCMProtocol
    ToolCallMiddlewareProviderOptions YamlXmlProtocolOptions`,
  'Names of 5.x': `
    Qwen3CoderToolParser createDynamicIfThenElseSchema createHermesToolResponseFormatter
    createMorphXmlToolResponseFormatter createQwen3CoderXmlToolResponseFormatter createToolMiddleware
    createUserContentToolResponseTemplate decodeOriginalTools decodeOriginalToolsFromProviderOptions encodeOriginalTools
    escapeRegExp extractOnErrorOption extractToolNamesFromOriginalTools formatToolResponseAsHermes
    formatToolResponseAsQwen3CoderXml formatToolResponseAsYaml getDebugLevel getDroppedProviderTools
    getPotentialStartIndex getToolCallMiddlewareOptions hasInputProperty hermesProtocol hermesSystemPromptTemplate
    hermesToolMiddleware isProtocolFactory isTCMProtocolFactory isToolChoiceActive isToolChoiceNone isToolResultPart
    logParseFailure logParsedChunk logParsedSummary logRawChunk mergeToolCallMiddlewareOptions
    morphFormatToolResponseAsXml morphXmlProtocol morphXmlSystemPromptTemplate morphXmlToolMiddleware
    originalToolsSchema parse qwen3CoderProtocol qwen3CoderToolMiddleware qwen3coderSystemPromptTemplate stringify
    toolChoiceStream toolRoleContentToUserTextMessage transform transformParams uiTarsXmlProtocol wrapGenerate
    wrapStream yamlXmlProtocol yamlXmlSystemPromptTemplate yamlXmlToolMiddleware
    KExaone2ToolParser createKExaone2ToolResponseFormatter formatToolResponseAsKExaone2 kExaone2Protocol
    kExaone2SystemPromptTemplate kExaone2ToolMiddleware
    sijawaraConciseXmlToolMiddleware sijawaraDetailedXmlToolMiddleware uiTarsToolMiddleware
    coerceBySchema compileSafePatternPropertyRegex getSchemaType schemaIsUnconstrained unwrapJsonSchema
    DebugLevel MorphXmlProtocolOptions OnErrorFn ParseOptions ParserOptions StringifyOptions TCMCoreProtocol TCMProtocol
    ToolCallMiddlewareProviderOptions ToolResponseMediaCapabilities ToolResponseMediaMode ToolResponseMediaStrategy
    ToolResponseMediaType ToolResponsePromptTemplateResult ToolResponseUserContentPart YamlXmlProtocolOptions`,
  'Names of ai-sdk-wire-middleware': `
    CompactToolsOptions ToolReduceParseError compactTools isFlatObject planTools renderSignature`,
}

/** Pairs of a heading and a name: `['Names of 2.x', 'RJSON']`. */
export const peerNames = Object.entries(releases).flatMap(([heading, names]) =>
  names
    .trim()
    .split(/\s+/)
    .map((name): readonly [heading: string, name: string] => [heading, name]),
)

/** The options and keys that older packages read, by heading. */
export const peerOptions: readonly (readonly [heading: string, name: string])[] = [
  ...[
    ['protocol', 'toolSystemPromptTemplate', 'toolResponsePromptTemplate', 'placement'],
    [
      'toolCallStart',
      'toolCallEnd',
      'toolResponseStart',
      'toolResponseEnd',
      'includeMultilineExample',
    ],
    [
      'parseOptions',
      'repair',
      'maxReparses',
      'noChildNodes',
      'capabilities',
      'DEBUG_PARSER_MW',
      'DEBUG_PARSER_MW_STYLE',
    ],
    [
      'onError',
      'emitRawToolCallTextOnError',
      'debugSummary',
      'originalTools',
      'toolChoice',
      'droppedProviderTools',
    ],
  ]
    .flat()
    .map((name): readonly [string, string] => ['Options', name]),
  ...[
    'syntax',
    'fallbackToJson',
    'placement',
    'manualHeader',
    'stripPreamble',
    'debug',
    'providerOptions.toolReduce',
  ].map((name): readonly [string, string] => ['Options of compactTools', name]),
]
