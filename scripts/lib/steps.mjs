import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

import { ROOT, runTool } from './process.mjs'

const REPORTS = `${ROOT}.build/reports`

/** Format, lint (type-aware), types, dead code: each is one tool. */
export const STATIC_STEPS = [
  { name: 'format', run: () => runTool('oxfmt', ['--check', '.']) },
  {
    name: 'lint',
    run: () => runTool('oxlint', ['--type-aware', '--deny-warnings', '--report-unused-disable-directives']),
  },
  { name: 'types', run: () => runTool('tsc', ['-b']) },
  {
    name: 'dead code',
    run: () => runTool('knip', ['--no-progress', '--cache', '--cache-location', `${ROOT}.build/knip`]),
  },
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
    failures: () =>
      (read(report).testResults ?? []).flatMap(({ name, status, message, assertionResults }) => {
        const failed = assertionResults.filter((test) => test.status === 'failed')
        const file = relative(ROOT, name)
        // A file that could not be read or set up has no test that failed.
        if (failed.length === 0) return status === 'failed' ? [toFailure(file, message)] : []
        return failed.map(({ fullName, failureMessages }) => toFailure(`${file} > ${fullName}`, failureMessages[0]))
      }),
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
    failures: () => (read(report).suites ?? []).flatMap(failedJourneys),
  }
}

const failedJourneys = ({ file, specs = [], suites = [] }) => [
  ...specs
    .filter(({ ok }) => !ok)
    .map(({ title, tests }) => toFailure(`${file} > ${title}`, tests[0]?.results.at(-1)?.error?.message)),
  ...suites.flatMap(failedJourneys),
]

/** One line: which test, and the first line of what it says. */
const toFailure = (test, message = '') => `${test}: ${stripVTControlCharacters(message).trim().split('\n', 1)[0]}`

/** Something that must have worked before anything else can, as a step of the table. Ends the program when it does not. */
export async function preparation(name, run) {
  const startedAt = performance.now()
  const result = await run()
  return { result, row: { name, code: 0, seconds: secondsSince(startedAt) } }
}

/**
 * Runs the steps in order, all of them, and returns totals: one broken step must not hide what the others say.
 *
 * @param before rows of the table that is printed in the end, for what was done before
 */
export async function runSteps(steps, before = []) {
  const totals = { passed: 0, failed: 0, skipped: 0, broken: [] }
  const failures = []
  const rows = [...before]
  for (const step of steps) {
    const startedAt = performance.now()
    process.stdout.write(`\n── ${step.name}\n`)
    const code = await step.run()
    const counted = step.count?.() ?? { passed: 0, failed: 0, skipped: 0 }
    totals.passed += counted.passed
    totals.failed += counted.failed
    totals.skipped += counted.skipped
    if (code !== 0) {
      totals.broken.push(step.name)
      failures.push(...(step.failures?.() ?? []))
    }
    rows.push({ name: step.name, code, seconds: secondsSince(startedAt), tests: step.count && counted })
    process.stdout.write(`── ${step.name}: ${code === 0 ? 'ok' : 'FAILED'} in ${rows.at(-1).seconds.toFixed(1)} s\n`)
  }
  printTable(rows)
  // Said again here: a long run's output may be cut where its end is kept.
  if (failures.length > 0) process.stdout.write(`\n${failures.join('\n')}\n`)
  return totals
}

const secondsSince = (startedAt) => (performance.now() - startedAt) / 1000

function printTable(rows) {
  const line = (name, seconds, rest = '') =>
    process.stdout.write(`${name.padEnd(14)}${seconds.toFixed(1).padStart(8)} s  ${rest}`.trimEnd() + '\n')
  process.stdout.write('\n')
  for (const { name, code, seconds, tests } of rows) {
    const counts = tests ? `${tests.passed} passed${tests.failed > 0 ? `, ${tests.failed} failed` : ''}` : ''
    line(name, seconds, code === 0 ? counts : `${counts} FAILED`.trim())
  }
  line(
    'in all',
    rows.reduce((sum, { seconds }) => sum + seconds, 0),
  )
}

function prepare(report) {
  mkdirSync(REPORTS, { recursive: true })
  rmSync(report, { force: true })
}

function read(report) {
  return existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {}
}
