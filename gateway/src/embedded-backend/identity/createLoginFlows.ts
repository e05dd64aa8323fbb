// Stored login flows. Knows nothing of HTTP.
import { randomUUID } from 'node:crypto'

import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import { z } from 'zod'

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

interface FlowRow {
  readonly id: string
  readonly kind: 'browser' | 'api'
  readonly csrf_token: string | null
  readonly return_to: string | null
  readonly issued_at: Date
  readonly expires_at: Date
  readonly state: unknown
}

export function createLoginFlows({ pool, clock }: { pool: Pool; clock: Clock }): LoginFlows {
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
      await pool.query(
        `insert into watchroom_identity.flows (id, type, kind, csrf_token, return_to, issued_at, expires_at, state)
         values ($1, 'login', $2, $3, $4, $5, $6, $7)`,
        [id, kind, flow.csrfToken, returnTo, flow.issuedAt, flow.expiresAt, JSON.stringify(state)],
      )
      return flow
    },

    find: async (id) => {
      if (!z.guid().safeParse(id).success) return null
      const { rows } = await pool.query<FlowRow>(
        `select id, kind, csrf_token, return_to, issued_at, expires_at, state from watchroom_identity.flows
         where id = $1 and type = 'login'`,
        [id],
      )
      const [row] = rows
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
      await pool.query('update watchroom_identity.flows set state = $2 where id = $1', [flow.id, JSON.stringify(state)])
      return { ...flow, state }
    },

    complete: async (flow) => {
      await pool.query('delete from watchroom_identity.flows where id = $1', [flow.id])
    },
  }
}

/** The form's token follows from the browser's cookie, so that a form made in another browser is refused here. */
export const csrfTokenOf = (flowId: string, csrfCookie: string): string => deriveToken(`csrf:${flowId}`, csrfCookie)
