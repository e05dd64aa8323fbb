// `npm start`: makes a fresh clone ready (install, build) and becomes the gateway.
import { spawn } from 'node:child_process'

import { buildIfStale } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ROOT } from './lib/process.mjs'

await ensureInstalled()
await buildIfStale()

const gateway = spawn(
  process.execPath,
  ['--enable-source-maps', `${ROOT}gateway/dist/main.js`, ...process.argv.slice(2)],
  { stdio: 'inherit' },
)
// The terminal sends Ctrl+C to the whole group; a supervisor signals only us. Either way the gateway ends first, then we.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => gateway.kill(signal))
gateway.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
