// `npm run e2e`: the browser journeys against a fresh build. Arguments go to Playwright. `--backend strict`: all that can be taken in
// front of a backend which speaks as the real server does; the others are named, each with its reason.
import { readFileSync } from 'node:fs'

import { buildIfStale } from './lib/build.mjs'
import { ensureTestBrowser } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { fail, ROOT } from './lib/process.mjs'
import { keepScratchInMemory } from './lib/scratch.mjs'
import { journeyStep, runSteps } from './lib/steps.mjs'

const args = process.argv.slice(2)
const at = args.indexOf('--backend')
const [, backend] = at === -1 ? [] : args.splice(at, 2)
if (at !== -1 && backend !== 'strict') fail('--backend takes: strict')

keepScratchInMemory()
await ensureInstalled()
const chromium = await ensureTestBrowser()
await buildIfStale()
if (backend === 'strict') {
  process.env.WATCHROOM_E2E_BACKEND = backend
  const { leftOut } = JSON.parse(readFileSync(`${ROOT}e2e/strictJourneys.json`, 'utf8'))
  process.stdout.write('\nNot taken in front of the strict backend:\n')
  for (const [title, reason] of Object.entries(leftOut)) process.stdout.write(`  ${title}:\n    ${reason}\n`)
}
const { broken } = await runSteps([journeyStep(chromium, args)])
process.exitCode = broken.length > 0 ? 1 : 0
