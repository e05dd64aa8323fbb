// `npm test`: everything, on a fresh clone with only Node and npm. Ends with the time of each stage and one line of totals.
// Of matrices and files that take minutes each commit takes another share; `--long` takes all of them, and as many kills and seeds
// as a night has time for.
import { execFileSync } from 'node:child_process'

import { buildIfStale } from './lib/build.mjs'
import { ensureTestBrowser } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { keepScratchInMemory } from './lib/scratch.mjs'
import { journeyStep, preparation, runSteps, STATIC_STEPS, vitestStep } from './lib/steps.mjs'

process.env.WATCHROOM_TEST_SHARE ??= String(toShare())
if (process.argv.includes('--long')) process.env.WATCHROOM_TEST_LONG = 'yes'
keepScratchInMemory()
const install = await preparation('install', ensureInstalled)
const browser = await preparation('browser', ensureTestBrowser)
const build = await preparation('build', buildIfStale)
const totals = await runSteps(
  [
    ...STATIC_STEPS,
    vitestStep('unit'),
    vitestStep('web'),
    vitestStep('integration'),
    vitestStep('fuzz'),
    vitestStep('fault'),
    journeyStep(browser.result),
  ],
  [install.row, browser.row, build.row],
)

if (totals.broken.length > 0) process.stdout.write(`\nFailed: ${totals.broken.join(', ')}\n`)
// A step that could not even count its tests (a syntax error, a type error) still is a failure.
const failures = Math.max(totals.failed, totals.broken.length)
process.stdout.write(`\nWATCHROOM_TEST_SHARE=${process.env.WATCHROOM_TEST_SHARE}\n`)
process.stdout.write(`${totals.passed} passed, ${failures} failed\n`)
process.exitCode = failures > 0 ? 1 : 0

/** A number of the commit: two runs of one commit take the same share. 0 where there is no repository. */
function toShare() {
  try {
    return Number.parseInt(execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }), 16)
  } catch {
    return 0
  }
}
