import { tryParseHostPort } from '@watchroom/shared/health/check-types'
import { AbstractConnector, Redis, type RedisOptions } from 'ioredis'

import type { CheckRunner, RunnerSpec } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { invalid, NO_ADDRESS, notPassed, passed } from '../outcome.ts'

type RedisSpec = RunnerSpec<'redis'>

/** How long the other side may take to close what we are done with. */
const DISCONNECT_MS = 2_000

/** Connects, signs in, selects the database and sends PING. */
export const redisRunner: CheckRunner<RedisSpec> = {
  async run(spec, { signal, clock, logger, wayOut }) {
    if (spec.addr === undefined) return invalid(0, NO_ADDRESS)
    const target = tryParseHostPort(spec.addr)
    if (target === null) return invalid(0, `"${spec.addr}" is not host:port`)
    const Connector = class extends AbstractConnector {
      constructor() {
        super(DISCONNECT_MS)
      }

      override async connect() {
        this.stream = await wayOut.open({
          ...target,
          tls: spec.tls === true ? { isInsecure: spec.insecureSkipVerify === true } : null,
          signal,
        })
        return this.stream
      }
    }
    const client = new Redis({ Connector, ...buildOptions(spec) })
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
  } satisfies RedisOptions
}
