// People who can sign in, their passwords, sessions, roles and sign-in links. Knows nothing of HTTP: `routes` speaks Kratos.
import { type Clock, createLoop } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import { createKnownOrigins } from './createKnownOrigins.ts'
import { createPasswords, type Passwords } from './methods/createPasswords.ts'
import { createSignInLinks, type SignInLinks } from './methods/createSignInLinks.ts'
import { createPeople, type People } from './people/createPeople.ts'
import { warmUp } from './secrets.ts'
import { createSessions, type Sessions } from './sessions/createSessions.ts'

/** An expired flow is remembered this long, so that its form can be told that it expired. */
const FLOW_MEMORY_MS = 60 * 60_000
/** Old sessions, flows and links are deleted this often. */
const PURGE_INTERVAL_MS = 5 * 60_000

export interface IdentityService extends People, Passwords, Sessions, SignInLinks {
  close(): void
}

interface Deps {
  pool: Pool
  clock: Clock
  logger: Logger
  /** Until a session that nobody uses ends, unless it is the usual time. */
  sessionIdleMs?: number | undefined
}

export function createIdentityService(deps: Deps): IdentityService {
  const { pool, clock, logger } = deps
  const origins = createKnownOrigins(deps)
  const sessions = createSessions(deps)
  const links = createSignInLinks(deps)

  const purge = async (): Promise<void> => {
    try {
      await sessions.purgeSessions()
      await pool.query('delete from watchroom_identity.flows where expires_at < $1', [
        new Date(clock.now() - FLOW_MEMORY_MS),
      ])
      await links.purgeLinks()
      await origins.purge()
    } catch (error) {
      // Expired rows are refused anyway; the next round deletes them.
      logger.warn({ err: error }, 'expired sessions not deleted')
    }
  }
  const purges = createLoop(clock, purge, { everyMs: PURGE_INTERVAL_MS })
  void warmUp()
  origins.load().catch((error: unknown) => {
    // Until the next purge nobody is known: guessing may slow people down who were here before.
    logger.warn({ err: error }, 'known devices not read')
  })

  return {
    ...createPeople(deps),
    ...createPasswords({ ...deps, origins }),
    ...sessions,
    ...links,
    close: () => purges.close(),
  }
}
