import { availableParallelism } from 'node:os'

import { defineConfig } from 'vitest/config'

import { LongestFirst } from './tests/support/setup/LongestFirst.ts'
import { findLeftOut } from './tests/support/setup/takenInTurn.ts'

/** Two at the least; more than eight starve the disk that all of them share. */
const WORKERS = Math.min(Math.max(availableParallelism(), 2), 8)

/** Projects, so that `npm run check` stays fast: `unit` and `web` run without processes, sockets or a database. */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/{shared,gateway,architecture}/**/*.test.ts'],
          exclude: ['tests/**/*.integration.test.ts'],
          pool: 'threads',
          maxWorkers: WORKERS,
          // Pure code keeps nothing between files: reading it once a worker instead of once a file is most of the time.
          isolate: false,
          // Some compute for seconds, and a machine may have other things to do.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'web',
          include: ['tests/web/**/*.test.{ts,tsx}'],
          exclude: findLeftOut('web'),
          pool: 'threads',
          maxWorkers: WORKERS,
          // Reading React, Blueprint and the page's own machinery takes longer than most files: once a worker instead of once a
          // file. What a file could leave behind goes with its page and its modules (freshPage.ts).
          isolate: false,
          environment: './tests/support/setup/pageEnvironment.ts',
          setupFiles: ['./tests/support/setup/freshPage.ts'],
          // The first screen of a file loads what the product loads lazily, and compiles it.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'integration',
          globalSetup: ['installPrograms', 'buildPrograms', 'prepareData', 'startServers'].map(
            (name) => `tests/support/setup/${name}.ts`,
          ),
          include: ['tests/**/*.integration.test.ts', 'tests/contract/**/*.test.ts'],
          exclude: findLeftOut('integration'),
          setupFiles: ['./tests/support/setup/ownDatabases.ts'],
          pool: 'forks',
          // Reading the gateway's sources once a worker instead of once a file saves a fifth of the processor's time.
          isolate: false,
          // Most of them wait for processes half of their time.
          maxWorkers: WORKERS + 1,
          testTimeout: 30_000,
          hookTimeout: 60_000,
          expect: { poll: { timeout: 20_000 } },
        },
      },
      {
        // Minutes of killing and starving real processes.
        test: {
          name: 'fault',
          globalSetup: ['buildPrograms', 'prepareData'].map((name) => `tests/support/setup/${name}.ts`),
          include: ['tests/fault/**/*.test.ts'],
          exclude: findLeftOut('fault'),
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
          maxWorkers: WORKERS,
          // More seeds than usual take hours (scripts/suite.mjs).
          testTimeout: process.env['WATCHROOM_TEST_LONG'] === undefined ? 120_000 : 4 * 3_600_000,
        },
      },
    ],
  },
})
