// Stored login flows. Knows nothing of HTTP.
import { randomUUID } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Kysely } from 'kysely'
import { z } from 'zod'

import type { Database } from '../schema/database.ts'
import { type LoginFlow, type LoginState, LoginStateSchema } from './loginFlow.ts'
import { deriveToken } from './secrets.ts'

/** Lifespan of login flows (backend reference 3.2). */
const LIFETIME_MS = 10 * 60_000

export interface NewLoginFlow {
  kind: 'browser' | 'api'
  /** Value of the browser's anti-forgery cookie; '' in api flows. */
  csrfCookie: string
  returnTo: string | null
  state: LoginState
}

export interface LoginFlows {
  create(flow: NewLoginFlow): Promise<LoginFlow>
  /** Also expired ones; the caller compares `expiresAt`. */
  find(id: string): Promise<LoginFlow | null>
  /** Keeps what the form says now. */
  update(flow: LoginFlow, changes: Partial<LoginState>): Promise<LoginFlow>
  /** A completed flow is gone: its form cannot be posted again. */
  complete(flow: LoginFlow): Promise<void>
}

export function createLoginFlows({ db, clock }: { db: Kysely<Database>; clock: Clock }): LoginFlows {
  return {
    create: async ({ kind, csrfCookie, returnTo, state }) => {
      const id = randomUUID()
      const flow: LoginFlow = {
        id,
        kind,
        csrfToken: kind === 'browser' ? csrfTokenOf(id, csrfCookie) : '',
        returnTo,
        issuedAt: new Date(clock.now()),
        expiresAt: new Date(clock.now() + LIFETIME_MS),
        state,
      }
      await db
        .insertInto('watchroom_identity.flows')
        .values({
          id,
          type: 'login',
          kind,
          csrf_token: flow.csrfToken,
          return_to: returnTo,
          issued_at: flow.issuedAt,
          expires_at: flow.expiresAt,
          state: JSON.stringify(state),
        })
        .execute()
      return flow
    },

    find: async (id) => {
      if (!z.guid().safeParse(id).success) return null
      const row = await db
        .selectFrom('watchroom_identity.flows')
        .selectAll()
        .where('id', '=', id)
        .where('type', '=', 'login')
        .executeTakeFirst()
      if (!row) return null
      return {
        id: row.id,
        kind: row.kind,
        csrfToken: row.csrf_token ?? '',
        returnTo: row.return_to,
        issuedAt: row.issued_at,
        expiresAt: row.expires_at,
        state: LoginStateSchema.parse(row.state),
      }
    },

    update: async (flow, changes) => {
      const state = { ...flow.state, ...changes }
      await db
        .updateTable('watchroom_identity.flows')
        .set({ state: JSON.stringify(state) })
        .where('id', '=', flow.id)
        .execute()
      return { ...flow, state }
    },

    complete: async (flow) => {
      await db.deleteFrom('watchroom_identity.flows').where('id', '=', flow.id).execute()
    },
  }
}

/** The form's token follows from the browser's cookie, so that a form made in another browser is refused here. */
export const csrfTokenOf = (flowId: string, csrfCookie: string): string => deriveToken(`csrf:${flowId}`, csrfCookie)
