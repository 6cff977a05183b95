import { measureBundle } from './size/measure-bundle.js'

/** Programs that import one thing; their size is what an application ships. */
const imports: readonly (readonly [name: string, program: string])[] = [
  ...[
    'hermes',
    'qwen3Coder',
    'glm',
    'deepseek',
    'kimi',
    'mistral',
    'llama',
    'gptOss',
    'gemma4',
    'yamlXml',
  ].map(
    family =>
      [
        `${family}ToolMiddleware`,
        `export { ${family}ToolMiddleware } from '@toolglot/parser'`,
      ] as const,
  ),
  [
    "createFormatMiddleware([mistral], { reasoning: true }), from '@toolglot/parser/formats'",
    "import { createFormatMiddleware, mistral } from '@toolglot/parser/formats'\nexport default createFormatMiddleware([mistral], { reasoning: true })",
  ],
  ['parseToolCalls, with every format', "export { parseToolCalls } from '@toolglot/parser'"],
  ['compactTools', "export { compactTools } from '@toolglot/parser'"],
  [
    'createToolMiddleware, with every format',
    "export { createToolMiddleware } from '@toolglot/parser'",
  ],
]

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`
console.log('| import | minified | gzip |\n|---|---|---|')
for (const [name, program] of imports) {
  const { bytes, gzipBytes } = await measureBundle(program)
  console.log(`| \`${name}\` | ${kilobytes(bytes)} | ${kilobytes(gzipBytes)} |`)
}
