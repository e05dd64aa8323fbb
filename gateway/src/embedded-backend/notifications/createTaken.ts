// Of a message to several targets of one connection those that took it. What was taken is committed before the next one is told.
import type { Pool } from 'pg'

import type { Taken } from './sender.ts'

/** @param message its idempotency key: under another one all are told again */
export function createTaken(pool: Pick<Pool, 'query'>, message: string): Taken {
  return {
    list: async () => {
      const { rows } = await pool.query<{ target: string }>(
        'select target from watchroom_internal.taken_targets where message = $1',
        [message],
      )
      return new Set(rows.map(({ target }) => target))
    },
    add: async (target) => {
      await pool.query(
        'insert into watchroom_internal.taken_targets (message, target) values ($1, $2) on conflict do nothing',
        [message, target],
      )
    },
  }
}
