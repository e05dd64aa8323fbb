// `npm run try:services`: connections against real programs of the distribution (tests/services).
import { ensureInstalled } from './lib/install.mjs'
import { ROOT, runTool } from './lib/process.mjs'

await ensureInstalled()
process.exitCode = await runTool('tsx', [`${ROOT}tests/services/main.ts`])
