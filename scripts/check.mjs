// `npm run check`: the fast checks, without processes, sockets, database, browser or screens.
import { ensureInstalled } from './lib/install.mjs'
import { runSteps, STATIC_STEPS, vitestStep } from './lib/steps.mjs'

await ensureInstalled()
const { broken } = await runSteps([...STATIC_STEPS, vitestStep('unit')])
process.exitCode = broken.length > 0 ? 1 : 0
