import type { BackendOptions } from '../embedded-backend/contract.ts'
import type { Environment } from '../platform/readVariable.ts'
import { type Config, secretFiles } from './config.ts'

/** Which programs written by people may run here, as the operator decided. */
export function toProgramRules(
  config: Pick<Config, 'auth' | 'exec' | 'execUser'>,
  env: Environment,
): NonNullable<BackendOptions['programs']> {
  const rules = { user: config.execUser, hidden: secretFiles(env) }
  // Without sign-in nobody can be told apart: anything saved may be a stranger's.
  if (config.auth === 'none')
    return { ...rules, savers: 'nobody', refusal: 'people do not sign in (WATCHROOM_AUTH=none)' }
  if (config.exec === 'off') return { ...rules, savers: 'admin', refusal: 'the operator says so (WATCHROOM_EXEC=off)' }
  return { ...rules, savers: config.exec === 'on' ? 'editor' : 'admin' }
}
