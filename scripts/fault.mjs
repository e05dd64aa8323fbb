// `npm run test:fault [name …]`: kills and starves real processes and prints what was kept. WATCHROOM_FAULT_ROUNDS sets the
// number of kills of the gateway (100).
import { ensureInstalled } from './lib/install.mjs'
import { runTool } from './lib/process.mjs'

await ensureInstalled()
const wanted = process.argv.slice(2).map((name) => `tests/fault/${name}`)
const files = wanted.length > 0 ? wanted : ['tests/fault']
process.exitCode = await runTool('vitest', ['run', '--project', 'fault', ...files])
