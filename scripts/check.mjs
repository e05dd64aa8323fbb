// `npm run check`: the fast checks, in less than a minute: without processes, sockets, database, browser or rendered screens.
import { ensureInstalled } from './lib/install.mjs'
import { runSteps, STATIC_STEPS, vitestStep } from './lib/steps.mjs'

await ensureInstalled()
const { broken } = await runSteps([
  ...STATIC_STEPS,
  vitestStep('unit'),
  vitestStep('web', ['--exclude', '**/*.test.tsx']),
])
process.exitCode = broken.length > 0 ? 1 : 0
