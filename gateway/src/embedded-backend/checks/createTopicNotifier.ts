import type { Clock } from '@watchroom/shared/kernel'
import { toWakePayload, WAKE_CHANNEL, type WakeName } from '@watchroom/shared/protocol'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

export interface TopicNotifier {
  /** Tells the gateway that the topic changed, soon and once for many calls. */
  notify(): void
  close(): void
}

/** A burst of commits becomes one wake-up of the gateway's poller. */
const MIN_DISTANCE_MS = 20

export function createTopicNotifier(
  topic: WakeName,
  { pool, clock, logger }: { pool: Pick<Pool, 'query'>; clock: Clock; logger: Logger },
): TopicNotifier {
  let lastAt = -Infinity
  let cancelTimer: (() => void) | null = null
  let isClosed = false

  function send(): void {
    cancelTimer = null
    lastAt = clock.monotonic()
    pool
      .query('select pg_notify($1, $2)', [WAKE_CHANNEL, toWakePayload({ name: topic, id: null })])
      .catch((error: unknown) => {
        // Only a hint: the poller's own interval finds the change as well.
        logger.debug({ err: error, topic }, 'topic not announced')
      })
  }

  return {
    notify: () => {
      if (isClosed || cancelTimer) return
      cancelTimer = clock.schedule(send, Math.max(0, lastAt + MIN_DISTANCE_MS - clock.monotonic()))
    },
    close: () => {
      isClosed = true
      cancelTimer?.()
    },
  }
}
