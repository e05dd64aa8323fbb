import { defineConfig } from 'playwright/test'

const executablePath = process.env.WATCHROOM_CHROMIUM

/** A worker has one running product for its journeys; those that kill it or need another estate start their own (e2e/fixtures). */
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
    // Without a film of the page, which costs as much as the page itself where there is no graphics card.
    trace: { mode: 'retain-on-failure', screenshots: false },
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
