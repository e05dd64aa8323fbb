// Refusals that a navigating browser is sent to read on the product's error page.
import { randomUUID } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import { z } from 'zod'

const LIFETIME_MS = 10 * 60_000

export interface FlowErrors {
  /** @returns its id */
  create(error: Readonly<Record<string, unknown>>): Promise<string>
  find(id: string): Promise<{ id: string; error: Readonly<Record<string, unknown>> } | null>
}

export function createFlowErrors({ pool, clock }: { pool: Pool; clock: Clock }): FlowErrors {
  return {
    create: async (error) => {
      const id = randomUUID()
      await pool.query(
        `insert into watchroom_identity.flows (id, type, kind, state, expires_at) values ($1, 'error', 'browser', $2, $3)`,
        [id, JSON.stringify(error), new Date(clock.now() + LIFETIME_MS)],
      )
      return id
    },
    find: async (id) => {
      if (!z.guid().safeParse(id).success) return null
      const { rows } = await pool.query<{ state: Record<string, unknown> }>(
        `select state from watchroom_identity.flows where id = $1 and type = 'error' and expires_at > $2`,
        [id, new Date(clock.now())],
      )
      return rows[0] ? { id, error: rows[0].state } : null
    },
  }
}
