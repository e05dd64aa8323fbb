// Whether another gateway works on the same database. Nothing is lost then, but each ends what is open in the other (ADR 29): this is
// noticed and reported, and both go on serving.
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { Client, type Pool } from 'pg'

import { ADVISORY_LOCKS } from '../platform/database/advisoryLocks.ts'
import type { Logger } from '../platform/logger.ts'
import type { Metrics } from '../platform/metrics.ts'
import type { Dependency, DependencyState } from './operations.ts'

const ASK = { text: 'select pg_try_advisory_lock($1) as is_ours', values: [ADVISORY_LOCKS.onlyGateway] }
/** The lock is held for as long as the connection is. */
const STILL_HERE = 'select true as is_ours'
const LOOK_MS = 15_000
/** While the database is away, or not there yet. */
const RETRY_MS = 2_000
/**
 * A gateway's machine may vanish without a word. The server must notice within a minute that nobody holds the lock any more, even while
 * it is sending an answer, which it would otherwise retransmit for a quarter of an hour.
 */
const NOTICE_DEATH = `set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3;
  set tcp_user_timeout = 60000`
/** Until then, plus one look, the holder may be this gateway itself, on a connection that broke only at this end. */
const MAY_BE_OURS_MS = 60_000 + LOOK_MS

type Sight = 'unknown' | 'alone' | 'another'

const STATES: Readonly<Record<Sight, DependencyState>> = {
  unknown: { isReady: false, state: 'not known yet' },
  alone: { isReady: true, state: 'no other gateway works on this database' },
  another: { isReady: false, state: 'another gateway works on this database' },
}

export interface OnlyGatewayDeps {
  /** @throws CodedError DATABASE_UNAVAILABLE while there is none */
  readonly pool: () => Pool
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface OnlyGateway extends Dependency {
  readonly close: () => Promise<void>
}

export function createOnlyGateway(deps: OnlyGatewayDeps): OnlyGateway {
  const { clock, logger } = deps
  const timer = createTimer(clock)
  let client: Client | null = null
  let sight: Sight = 'unknown'
  /** Monotonic time at which the lock was seen to be ours. */
  let heldAt = -Infinity
  let isTold = false
  let isClosed = false

  deps.metrics.gauge({
    name: 'watchroom_other_gateway',
    help: 'Whether another gateway works on the database',
    collect() {
      this.set(sight === 'another' ? 1 : 0)
    },
  })

  /** The lock went with it. */
  const lose = (lost: Client, error: unknown): void => {
    if (client !== lost) return
    client = null
    sight = 'unknown'
    logger.info({ err: error }, 'connection that looks for other gateways lost')
    lost.end().catch(() => undefined)
  }

  /** Beside the pool: it is kept as long as the gateway runs. */
  const open = async ({ options }: Pool): Promise<Client> => {
    // The password is not among the properties that a spread copies.
    const opened = new Client({ ...options, password: options.password })
    client = opened
    opened.on('error', (error) => lose(opened, error))
    opened.on('end', () => lose(opened, new Error('connection ended')))
    await opened.connect()
    await opened.query(NOTICE_DEATH)
    return opened
  }

  const note = (isOurs: boolean): void => {
    const now = clock.monotonic()
    if (isOurs) heldAt = now
    else if (now - heldAt < MAY_BE_OURS_MS) return
    sight = isOurs ? 'alone' : 'another'
    if (isTold === !isOurs) return
    isTold = !isOurs
    if (isOurs) logger.info('no other gateway works on this database any more')
    else logger.warn('another gateway works on this database: stop one of them')
  }

  const look = async (): Promise<void> => {
    try {
      const asked = client ?? (await open(deps.pool()))
      const { rows } = await asked.query<{ is_ours: boolean }>(sight === 'alone' ? STILL_HERE : ASK)
      if (client === asked) note(rows[0]?.is_ours === true)
    } catch (error) {
      if (client) lose(client, error)
      else logger.debug({ err: error }, 'other gateways are not looked for yet')
    }
    if (!isClosed) timer.set(() => void look(), sight === 'unknown' ? RETRY_MS : LOOK_MS)
  }
  void look()

  return {
    name: 'onlyGateway',
    isOptional: true,
    check: () => STATES[sight],
    close: async () => {
      isClosed = true
      timer.clear()
      const held = client
      client = null
      await held?.end().catch(() => undefined)
    },
  }
}
