// `npm run agent`: makes a fresh clone ready (install, build) and becomes an agent.
import { spawn } from 'node:child_process'

import { buildIfStale } from './lib/build.mjs'
import { ensureInstalled } from './lib/install.mjs'
import { ROOT } from './lib/process.mjs'

const argv = process.argv.slice(2)
await ensureInstalled()
await buildIfStale()

const agent = spawn(process.execPath, ['--enable-source-maps', `${ROOT}gateway/dist/agent.js`, ...argv], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => agent.kill(signal))
agent.once('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))
