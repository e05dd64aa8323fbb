// `npm run e2e`: the browser journeys against a fresh build. Arguments go to Playwright.
import { buildIfStale } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { journeyStep, runSteps } from './lib/steps.mjs'

await ensureInstalled()
const chromium = await ensureChromium()
await buildIfStale()
const { broken } = await runSteps([journeyStep(chromium, process.argv.slice(2))])
process.exitCode = broken.length > 0 ? 1 : 0
