import { tryParseCheckSpec } from '@watchroom/shared/health/check-types'

import { runCheck } from '../../check-runner/runCheck.ts'
import type { BackendContext } from '../server/context.ts'

const TIMEOUT_MS = 2_000

/** Whether this host answers pings and resolves `localhost`: containers often do neither, and a check of it would never pass. */
export async function systemCapabilities({
  clock,
  logger,
}: Pick<BackendContext, 'clock' | 'logger'>): Promise<{ ping: boolean; resolve: boolean }> {
  const passes = async (type: string, spec: unknown): Promise<boolean> => {
    const parsed = tryParseCheckSpec(type, spec)
    if (!parsed.ok) return false
    const check = { ...parsed.value, name: type, timeoutMs: TIMEOUT_MS }
    const { passed } = await runCheck(check, { clock, logger, signal: new AbortController().signal })
    return passed
  }
  const [ping, resolve] = await Promise.all([
    passes('icmp', { endpoint: '127.0.0.1', packetCount: 1 }),
    passes('dns', { query: 'localhost' }),
  ])
  return { ping, resolve }
}
