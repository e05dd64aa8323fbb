// `npm run check`: the fast checks, without processes, sockets, database or browser.
import { ensureInstalled } from './lib/install.mjs'
import { runSteps, STATIC_STEPS, vitestStep } from './lib/steps.mjs'

await ensureInstalled()
const { broken } = await runSteps([...STATIC_STEPS, vitestStep('unit'), vitestStep('web')])
process.exitCode = broken.length > 0 ? 1 : 0
