import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'

import { ROOT, runTool } from './process.mjs'

const REPORTS = `${ROOT}.build/reports`

/** Format, lint (type-aware), types: each is one tool. */
export const STATIC_STEPS = [
  { name: 'format', run: () => runTool('oxfmt', ['--check', '.']) },
  {
    name: 'lint',
    run: () => runTool('oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']),
  },
  { name: 'types', run: () => runTool('tsc', ['-b']) },
]

/** A vitest project of vitest.config.ts as a step that reports its counts. */
export function vitestStep(project) {
  const report = `${REPORTS}/${project}.json`
  return {
    name: project,
    run: () => {
      prepare(report)
      return runTool('vitest', [
        'run',
        '--project',
        project,
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
      ])
    },
    count: () => {
      const { numPassedTests = 0, numFailedTests = 0, numPendingTests = 0 } = read(report)
      return { passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests }
    },
  }
}

/** The browser journeys of e2e/. */
export function journeyStep(chromium, args = []) {
  const report = `${REPORTS}/e2e.json`
  return {
    name: 'e2e',
    run: () => {
      prepare(report)
      const env = { ...process.env, WATCHROOM_CHROMIUM: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: report }
      return runTool('playwright', ['test', ...args], { env })
    },
    count: () => {
      const { expected = 0, unexpected = 0, skipped = 0, flaky = 0 } = read(report).stats ?? {}
      return { passed: expected + flaky, failed: unexpected, skipped }
    },
  }
}

/** Runs the steps in order, all of them, and returns totals: one broken step must not hide what the others say. */
export async function runSteps(steps) {
  const totals = { passed: 0, failed: 0, skipped: 0, broken: [] }
  for (const step of steps) {
    const startedAt = performance.now()
    process.stdout.write(`\n── ${step.name}\n`)
    const code = await step.run()
    const counted = step.count?.() ?? { passed: 0, failed: 0, skipped: 0 }
    totals.passed += counted.passed
    totals.failed += counted.failed
    totals.skipped += counted.skipped
    if (code !== 0) totals.broken.push(step.name)
    process.stdout.write(
      `── ${step.name}: ${code === 0 ? 'ok' : 'FAILED'} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`,
    )
  }
  return totals
}

function prepare(report) {
  mkdirSync(REPORTS, { recursive: true })
  rmSync(report, { force: true })
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
}
