import { defineConfig } from 'vitest/config'

// The examples run as a reader runs them: on the built packages. `npm run build` comes first.
export default defineConfig({
  test: {
    include: ['examples/test/**/*.test.ts'],
    testTimeout: 60_000,
  },
})
