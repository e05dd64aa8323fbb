// `npm test`: everything, on a fresh clone with only Node and npm. Ends with the time of each stage and one line of totals.
import { buildIfStale } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { journeyStep, preparation, runSteps, STATIC_STEPS, vitestStep } from './lib/steps.mjs'

const install = await preparation('install', ensureInstalled)
const browser = await preparation('browser', ensureChromium)
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
process.stdout.write(`\n${totals.passed} passed, ${failures} failed\n`)
process.exitCode = failures > 0 ? 1 : 0
