// `npm run bench [name …]`: runs the benchmarks of tests/bench one after the other and prints their tables.
import { readdirSync } from 'node:fs'

import { buildIfStale } from './lib/build.mjs'
import { ensureChromium } from './lib/chromium.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { fail, ROOT, runTool } from './lib/process.mjs'

await ensureInstalled()
const known = readdirSync(`${ROOT}tests/bench`)
  .filter((file) => file.endsWith('.ts') && !['table.ts', 'main.ts'].includes(file))
  .map((file) => file.slice(0, -3))
const wanted = process.argv.length > 2 ? process.argv.slice(2) : known
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) fail(`No such benchmark: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
const env = { ...process.env, WATCHROOM_CHROMIUM: await ensureChromium() }
await buildIfStale()
for (const name of wanted) {
  const code = await runTool('tsx', [`${ROOT}tests/bench/main.ts`, name], { env })
  if (code !== 0) process.exitCode = code
}
