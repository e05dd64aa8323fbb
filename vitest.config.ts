import { defineConfig } from 'vitest/config'

/** Projects, so that `npm run check` stays fast: only `unit` runs without processes, sockets or a database. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/{shared,gateway,web,architecture}/**/*.test.{ts,tsx}'],
          exclude: ['tests/**/*.integration.test.ts'],
          pool: 'threads',
          maxWorkers: 2,
          // The first screen of a file loads what the product loads lazily, and compiles it.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/**/*.integration.test.ts', 'tests/contract/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        // Minutes of killing and starving real processes.
        test: {
          name: 'fault',
          include: ['tests/fault/**/*.test.ts'],
          pool: 'forks',
          maxWorkers: 2,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'fuzz',
          include: ['tests/fuzz/**/*.test.ts'],
          pool: 'threads',
          maxWorkers: 2,
          testTimeout: 120_000,
        },
      },
    ],
  },
})
