import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

// Where `.ci/run` wants the results as JSON, next to what the terminal shows.
const reportFile = process.env.TEST_REPORT_FILE

export default defineConfig({
  resolve: {
    // Tests run against the sources, so they need no build.
    alias: [
      {
        find: /^@toolglot\/parser$/,
        replacement: fileURLToPath(new URL('./packages/parser/src/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    include: ['packages/*/test/**/*.test.ts'],
    testTimeout: 30_000,
    reporters: reportFile ? ['default', ['json', { outputFile: reportFile }]] : ['default'],
    coverage: {
      provider: 'v8',
      include: ['packages/parser/src/**/*.ts'],
      reporter: ['text', 'html', 'json-summary'],
    },
  },
})
