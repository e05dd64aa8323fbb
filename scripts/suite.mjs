// `npm run test:integration`, `test:security`, `test:fault` and `test:fuzz`, all with [name …] of their files and options of vitest.
// `--long`: as many kills, or as many seeds, as a night has time for; WATCHROOM_FAULT_ROUNDS and WATCHROOM_FUZZ_SEEDS say how many
// themselves.
import { ensureInstalled } from './lib/install.mjs'
import { runTool } from './lib/process.mjs'
import { keepScratchInMemory } from './lib/scratch.mjs'

const FOLDERS = { integration: 'tests/', security: 'tests/security/', fault: 'tests/fault/', fuzz: 'tests/fuzz/' }

keepScratchInMemory()
await ensureInstalled()
const [suite, ...rest] = process.argv.slice(2)
const project = suite === 'security' ? 'integration' : suite
const isLong = rest.includes('--long')
const options = rest.filter((each) => each.startsWith('-') && each !== '--long')
const names = rest.filter((each) => !each.startsWith('-'))
const wanted = (names.length > 0 ? names : ['']).map((name) =>
  name.startsWith('tests/') ? name : FOLDERS[suite] + name,
)
const env = isLong ? { ...process.env, WATCHROOM_TEST_LONG: 'yes' } : process.env
process.exitCode = await runTool('vitest', ['run', '--project', project, ...wanted, ...options], { env })
