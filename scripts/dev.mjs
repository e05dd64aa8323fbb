// `npm run dev`: gateway (with its embedded backend) and web client, both reloading on change.
import { spawn } from 'node:child_process'

import { ensureInstalled } from './lib/install.mjs'
import { ROOT } from './lib/process.mjs'
import { withoutSecrets, withSecretFiles } from './lib/secrets.mjs'

await ensureInstalled()
const children = [
  {
    args: ['--watch', '--import', 'tsx', `${ROOT}gateway/src/main.ts`, ...process.argv.slice(2)],
    env: withSecretFiles(),
  },
  { args: [`${ROOT}node_modules/vite/bin/vite.js`, `${ROOT}web`, '--host', '127.0.0.1'], env: withoutSecrets() },
].map(({ args, env }) => spawn(process.execPath, args, { stdio: 'inherit', cwd: ROOT, env }))

const stop = (signal) => children.forEach((child) => child.kill(signal))
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
// One without the other is not a development setup: the first that ends takes the other along.
for (const child of children)
  child.once('exit', (code) => {
    stop('SIGTERM')
    process.exitCode ??= code ?? 0
  })
