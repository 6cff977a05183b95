import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Where `.ci/run` wants the results as JSON, next to what the terminal shows.
const reportFile = process.env.TEST_REPORT_FILE

export default defineConfig({
  resolve: {
    // Tests run against the sources, so they need no build.
    alias: [
      ...[
        ['@toolglot/parser', 'parser/src/index.ts'],
        ['@toolglot/parser/formats', 'parser/src/formats.ts'],
        ['@toolglot/parser/protocol', 'parser/src/protocol.ts'],
        ['@toolglot/proxy', 'proxy/src/index.ts'],
        ['@toolglot/proxy/node', 'proxy/src/node.ts'],
      ].map(([name, file]) => ({
        find: new RegExp(`^${name}$`),
        replacement: fileURLToPath(new URL(`./packages/${file}`, import.meta.url)),
      })),
    ],
  },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'scripts/test/**/*.test.ts'],
    testTimeout: 30_000,
    // The token counts load two tokenizers and count every call; a busy machine takes its time over that.
    hookTimeout: 60_000,
    // By default one processor is left alone, which on a small machine is half of it.
    maxWorkers: '100%',
    reporters: reportFile ? ['default', ['json', { outputFile: reportFile }]] : ['default'],
    coverage: {
      provider: 'v8',
      include: ['packages/parser/src/**/*.ts'],
      reporter: ['text', 'html', 'json-summary'],
    },
  },
})
