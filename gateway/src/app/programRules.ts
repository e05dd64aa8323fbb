import type { BackendOptions } from '../embedded-backend/contract.ts'
import type { Environment } from '../platform/readVariable.ts'
import { type Config, secretFiles } from './config.ts'

/** What may be executed here that people wrote, as the operator said. */
export function toProgramRules(
  config: Pick<Config, 'auth' | 'exec' | 'execUser'>,
  env: Environment,
): NonNullable<BackendOptions['programs']> {
  const rules = { user: config.execUser, hidden: secretFiles(env) }
  // Nobody can be told from anyone: what one saves, a stranger may have saved.
  if (config.auth === 'none')
    return { ...rules, savers: 'nobody', refusal: 'people do not sign in (WATCHROOM_AUTH=none)' }
  if (config.exec === 'off') return { ...rules, savers: 'admin', refusal: 'the operator says so (WATCHROOM_EXEC=off)' }
  return { ...rules, savers: config.exec === 'on' ? 'editor' : 'admin' }
}
