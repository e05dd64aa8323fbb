import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

import { fail, ROOT, run } from './process.mjs'
import { withoutSecrets } from './secrets.mjs'

const MARKER = `${ROOT}node_modules/.watchroom-installed`
const CI = ['ci', '--no-audit', '--no-fund', '--loglevel=error']

/** Installs the locked dependencies when they are missing or when the lockfile changed since the last time. */
export async function ensureInstalled() {
  requireNode()
  const wanted = createHash('sha256')
    .update(readFileSync(`${ROOT}package-lock.json`))
    .digest('hex')
  if (existsSync(MARKER) && readFileSync(MARKER, 'utf8').trim() === wanted) return
  process.stdout.write('Installing dependencies (npm ci) …\n')
  const npm = process.env.npm_execpath
  const code = npm
    ? await run(process.execPath, [npm, ...CI], { env: withoutSecrets() })
    : await run('npm', CI, { env: withoutSecrets() })
  if (code !== 0) fail('npm ci failed; its output above says why. Nothing was started.', code)
  writeFileSync(MARKER, wanted)
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  fail(`Watchroom needs Node 20.19 or newer; this is ${process.versions.node}.`)
}
