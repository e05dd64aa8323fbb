// Secrets of the environment stay in this process: what is started from here (npm, the build, a reloading gateway) would show
// them to everyone who may look at its environment.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const IS_SECRET =
  /^(?:WATCHROOM_\w*(?:PASSWORD|TOKEN|KEY)|BACKEND_TOKEN|(?:BACKEND_)?DATABASE_URL|REDIS_URL|POSTGRES_PASSWORD|PGPASSWORD)$/

/** The environment for a process that needs none of the secrets. */
export function withoutSecrets(environment = process.env) {
  return Object.fromEntries(Object.entries(environment).filter(([name]) => !IS_SECRET.test(name)))
}

/** The environment for a gateway: each secret stands in a file of mode 0600 that its `_FILE` variable names. */
export function withSecretFiles(environment = process.env) {
  const secrets = Object.entries(environment).filter(([name, value]) => IS_SECRET.test(name) && value)
  if (secrets.length === 0) return { ...environment }
  const folder = mkdtempSync(join(tmpdir(), 'watchroom-secrets-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const files = secrets.map(([name, value]) => {
    writeFileSync(join(folder, name), value, { mode: 0o600 })
    return [`${name}_FILE`, join(folder, name)]
  })
  return { ...withoutSecrets(environment), ...Object.fromEntries(files) }
}
