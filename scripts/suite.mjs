// `npm run test:fault` and `npm run test:fuzz`, both with [name …] of their files. `--long`: as many kills, or as many seeds, as a
// night has time for; WATCHROOM_FAULT_ROUNDS and WATCHROOM_FUZZ_SEEDS say how many themselves.
import { ensureInstalled } from './lib/install.mjs'
import { runTool } from './lib/process.mjs'
import { keepScratchInMemory } from './lib/scratch.mjs'

keepScratchInMemory()
await ensureInstalled()
const [project, ...rest] = process.argv.slice(2)
const isLong = rest.includes('--long')
const wanted = rest.filter((each) => each !== '--long').map((name) => `tests/${project}/${name}`)
const env = isLong ? { ...process.env, WATCHROOM_TEST_LONG: 'yes' } : process.env
process.exitCode = await runTool('vitest', ['run', '--project', project, ...wanted], { env })
