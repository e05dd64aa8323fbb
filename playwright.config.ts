import { defineConfig } from 'playwright/test'

const executablePath = process.env.WATCHROOM_CHROMIUM

/** Journeys start their own gateway on a free port and a fresh data directory (e2e/fixtures), so nothing is shared. */
export default defineConfig({
  testDir: 'e2e/journeys',
  testMatch: '**/*.spec.ts',
  outputDir: '.e2e-results',
  fullyParallel: false,
  // A journey mostly waits: for processes that start, for people who read.
  workers: 2,
  forbidOnly: true,
  retries: 0,
  timeout: 120_000,
  expect: { timeout: 20_000 },
  reporter: [['list'], ['json']],
  use: {
    screenshot: 'only-on-failure',
    trace: 'retain-on-failure',
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
