// Refusals that a navigating browser is sent to read on the product's error page.
import { randomUUID } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Kysely } from 'kysely'
import { z } from 'zod'

import type { Database } from '../schema/database.ts'

const LIFETIME_MS = 10 * 60_000

export interface FlowErrors {
  /** @returns its id */
  create(error: Readonly<Record<string, unknown>>): Promise<string>
  find(id: string): Promise<{ id: string; error: Readonly<Record<string, unknown>> } | null>
}

export function createFlowErrors({ db, clock }: { db: Kysely<Database>; clock: Clock }): FlowErrors {
  return {
    create: async (error) => {
      const id = randomUUID()
      await db
        .insertInto('watchroom_identity.flows')
        .values({
          id,
          type: 'error',
          kind: 'browser',
          state: JSON.stringify(error),
          expires_at: new Date(clock.now() + LIFETIME_MS),
        })
        .execute()
      return id
    },
    find: async (id) => {
      if (!z.guid().safeParse(id).success) return null
      const row = await db
        .selectFrom('watchroom_identity.flows')
        .select('state')
        .where('id', '=', id)
        .where('type', '=', 'error')
        .where('expires_at', '>', new Date(clock.now()))
        .executeTakeFirst()
      return row ? { id, error: row.state } : null
    },
  }
}
