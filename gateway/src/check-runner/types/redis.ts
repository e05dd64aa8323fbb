import { tryParseHostPort } from '@watchroom/shared/health/check-types'
import { Redis, type RedisOptions } from 'ioredis'

import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { invalid, NO_ADDRESS, notPassed, passed } from '../outcome.ts'

type RedisSpec = RunnerSpec<'redis'>

/** Connects, signs in, selects the database and sends PING. */
export const redisRunner: CheckRunner<RedisSpec> = {
  async run(spec, { signal, clock, logger }) {
    if (spec.addr === undefined) return invalid(0, NO_ADDRESS)
    const target = tryParseHostPort(spec.addr)
    if (target === null) return invalid(0, `"${spec.addr}" is not host:port`)
    const client = new Redis({ ...target, ...buildOptions(spec) })
    let connectionError: unknown
    // `connect` rejects with "Connection is closed"; the cause arrives here.
    client.on('error', (error: unknown) => {
      connectionError ??= error
      logger.debug({ err: error }, 'redis check connection failed')
    })
    const handleAbort = (): void => client.disconnect()
    signal.addEventListener('abort', handleAbort, { once: true })
    const startedAt = clock.monotonic()
    try {
      signal.throwIfAborted()
      await client.connect()
      // ioredis would do it by itself from an option, but stays silent when the server refuses.
      if (spec.db !== undefined) await client.select(spec.db)
      return passed(clock.monotonic() - startedAt, await client.ping())
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, describeFailure(connectionError ?? error))
    } finally {
      signal.removeEventListener('abort', handleAbort)
      client.disconnect()
    }
  },
}

function buildOptions(spec: RedisSpec) {
  return {
    lazyConnect: true,
    retryStrategy: () => null,
    maxRetriesPerRequest: 0,
    enableReadyCheck: false,
    enableOfflineQueue: true,
    disableClientInfo: true,
    ...(spec.username !== undefined && { username: spec.username }),
    ...(spec.password !== undefined && { password: spec.password }),
    ...(spec.tls === true && { tls: { rejectUnauthorized: spec.insecureSkipVerify !== true } }),
  } satisfies RedisOptions
}
