import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

import { defineConfig } from 'playwright/test'

import { isTaken } from './tests/support/share.ts'

const executablePath = process.env.WATCHROOM_CHROMIUM

/** Titles of journeys that also run in front of a backend which speaks as the real server does, and those that cannot, with the reason. */
const { sample, leftOut } = JSON.parse(readFileSync('e2e/strictJourneys.json', 'utf8')) as {
  sample: string[]
  leftOut: Record<string, string>
}
/** All that can, and those alone (scripts/e2e.mjs). */
const isAllStrict = process.env.WATCHROOM_E2E_BACKEND === 'strict'

/** `npm test` takes a part at a time, another with the next commit (scripts/test.mjs); `npm run e2e` and `--long` take all. */
const taken = sample.filter((_, index) => isTaken(index, 7))
/** Of the journeys in front of our own backend an eighth at a time; accessibility always, of some screens in one scheme (its file). */
const specs = readdirSync('e2e/journeys')
  .toSorted()
  .filter((file, index) => file.startsWith('accessibility') || isTaken(index, 8))

const toPattern = (titles: readonly string[]): RegExp =>
  new RegExp(titles.map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|'))

/** What only moves costs a third of a journey's time. Journeys in front of the strict backend see it move. */
const STILL = { contextOptions: { reducedMotion: 'reduce' } } as const

/** A worker has one running product for its journeys; those that kill it or need another estate start their own (e2e/fixtures). */
export default defineConfig({
  testDir: 'e2e/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: '.e2e-results',
  fullyParallel: false,
  // A journey mostly waits: for processes that start, for people who read.
  workers: Math.min(Math.max(availableParallelism(), 2), 4),
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  projects: isAllStrict
    ? [{ name: 'strict', grepInvert: toPattern(Object.keys(leftOut)) }]
    : [
        { name: 'embedded', testMatch: specs.map((file) => `**/${file}`), use: STILL },
        { name: 'strict', grep: toPattern(taken) },
      ],
  use: {
    screenshot: 'only-on-failure',
    // `npm run e2e -- --trace retain-on-failure` keeps what each step of a journey saw; it slows all of them down.
    trace: 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    },
  },
})
