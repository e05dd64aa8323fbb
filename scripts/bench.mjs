// `npm run bench [name …] [-- options]`: runs the benchmarks of tests/bench one after the other and prints their tables. Options
// are the benchmarks' own.
import { readdirSync } from 'node:fs'

import { buildIfStale } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { fail, ROOT, runTool } from './lib/process.mjs'

await ensureInstalled()
const known = readdirSync(`${ROOT}tests/bench`)
  .filter((file) => file.endsWith('.ts') && !['table.ts', 'main.ts'].includes(file))
  .map((file) => file.slice(0, -3))
const given = process.argv.slice(2)
const firstOption = given.findIndex((word) => word.startsWith('--'))
const names = firstOption < 0 ? given : given.slice(0, firstOption)
const options = firstOption < 0 ? [] : given.slice(firstOption)
const wanted = names.length > 0 ? names : known
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) fail(`No such benchmark: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
const env = { ...process.env, WATCHROOM_CHROMIUM: await ensureChromium() }
await buildIfStale()
for (const name of wanted) {
  const code = await runTool('tsx', [`${ROOT}tests/bench/main.ts`, name, ...options], { env })
  if (code !== 0) process.exitCode = code
}
