import { tryParseCheckSpec } from '@watchroom/shared/health/check-types'

import { runCheck } from '../../check-runner/runCheck.ts'
import type { Executor } from '../../executor/contract.ts'
import { openSocket } from '../../platform/openSocket.ts'
import type { BackendContext } from '../server/context.ts'

const TIMEOUT_MS = 2_000

export interface SystemCapabilities {
  /** Whether this host answers its own pings. */
  readonly ping: boolean
  /** Whether it resolves `localhost`. */
  readonly resolve: boolean
  /** Whether programs are run here. */
  readonly execute: boolean
}

/** What a check may count on here. Containers often have none of it, and a check that needs it would never pass. */
export async function systemCapabilities(
  { clock, logger }: Pick<BackendContext, 'clock' | 'logger'>,
  { confinement }: Pick<Executor, 'confinement'>,
): Promise<SystemCapabilities> {
  const passes = async (type: string, spec: unknown): Promise<boolean> => {
    const parsed = tryParseCheckSpec(type, spec)
    if (!parsed.ok) return false
    const check = { ...parsed.value, name: type, timeoutMs: TIMEOUT_MS }
    const { signal } = new AbortController()
    const { passed } = await runCheck(check, { clock, logger, signal, wayOut: { open: openSocket } })
    return passed
  }
  const [ping, resolve] = await Promise.all([
    passes('icmp', { endpoint: '127.0.0.1', packetCount: 1 }),
    passes('dns', { query: 'localhost' }),
  ])
  return { ping, resolve, execute: confinement.kind !== 'off' }
}
