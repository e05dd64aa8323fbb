// Stored flows, of every kind. Knows nothing of HTTP.
import { randomUUID } from 'node:crypto'

import type { FlowKind } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import type { Pool } from 'pg'
import { z } from 'zod'

import { deriveToken } from '../secrets.ts'
import { type Flow, type FlowState, FlowStateSchema } from './flow.ts'

export interface NewFlow {
  type: FlowKind
  kind: 'browser' | 'api'
  lifetimeMs: number
  /** Value of the browser's anti-forgery cookie; '' in api flows. */
  csrfCookie: string
  returnTo: string | null
  identityId: string | null
  state: FlowState
}

/** What an answer changes. */
export type FlowChanges = Partial<FlowState> & { readonly identityId?: string | null }

export interface FlowStore {
  create(flow: NewFlow): Promise<Flow>
  /** Also expired ones; the caller compares `expiresAt`. */
  find(type: FlowKind, id: string): Promise<Flow | null>
  /** Keeps what the form says now. @param database the caller's transaction, where there is one */
  update(flow: Flow, changes: FlowChanges, database?: Pick<Pool, 'query'>): Promise<Flow>
  /** Its form is shown in a browser with this anti-forgery cookie from now on. */
  moveTo(flow: Flow, csrfCookie: string): Promise<Flow>
  /** Counts a try at the flow's code before it is looked at. @returns false when there were too many */
  takeTry(flow: Flow): Promise<boolean>
  /** Uses up what was sealed for one use. @returns the flow without it; null when it was used, or replaced, meanwhile */
  takeSealed(flow: Flow, name: string): Promise<Flow | null>
  /** A completed flow is gone: its form cannot be posted again. @returns false when someone else completed it meanwhile */
  complete(flow: Flow): Promise<boolean>
}

/** Of one code; `CODE_LENGTH` is chosen with it. */
const MAX_TRIES = 5

interface FlowRow {
  readonly id: string
  readonly kind: 'browser' | 'api'
  readonly csrf_token: string | null
  readonly return_to: string | null
  readonly issued_at: Date
  readonly expires_at: Date
  readonly identity_id: string | null
  readonly state: unknown
}

export function createFlowStore({ pool, clock }: { pool: Pool; clock: Clock }): FlowStore {
  return {
    create: async ({ type, kind, lifetimeMs, csrfCookie, returnTo, identityId, state }) => {
      const id = randomUUID()
      const flow: Flow = {
        id,
        type,
        kind,
        csrfToken: kind === 'browser' ? csrfTokenOf(id, csrfCookie) : '',
        returnTo,
        issuedAt: new Date(clock.now()),
        expiresAt: new Date(clock.now() + lifetimeMs),
        identityId,
        state,
      }
      await pool.query(
        `insert into watchroom_identity.flows
           (id, type, kind, csrf_token, return_to, issued_at, expires_at, identity_id, state)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [id, type, kind, flow.csrfToken, returnTo, flow.issuedAt, flow.expiresAt, identityId, JSON.stringify(state)],
      )
      return flow
    },

    find: async (type, id) => {
      if (!z.guid().safeParse(id).success) return null
      const { rows } = await pool.query<FlowRow>(
        `select id, kind, csrf_token, return_to, issued_at, expires_at, identity_id, state
         from watchroom_identity.flows where id = $1 and type = $2`,
        [id, type],
      )
      const [row] = rows
      if (!row) return null
      return {
        id: row.id,
        type,
        kind: row.kind,
        csrfToken: row.csrf_token ?? '',
        returnTo: row.return_to,
        issuedAt: row.issued_at,
        expiresAt: row.expires_at,
        identityId: row.identity_id,
        state: FlowStateSchema.parse(row.state),
      }
    },

    update: async (flow, { identityId = flow.identityId, ...changes }, database = pool) => {
      const state = { ...flow.state, ...changes }
      // A new code has its own attempts.
      await database.query(
        `update watchroom_identity.flows set state = $2, identity_id = $3,
           tries = case when state #>> '{proof,hash}' is distinct from $2::jsonb #>> '{proof,hash}' then 0 else tries end
         where id = $1`,
        [flow.id, JSON.stringify(state), identityId],
      )
      return { ...flow, identityId, state }
    },

    moveTo: async (flow, csrfCookie) => {
      const csrfToken = csrfTokenOf(flow.id, csrfCookie)
      await pool.query('update watchroom_identity.flows set csrf_token = $2 where id = $1', [flow.id, csrfToken])
      return { ...flow, csrfToken }
    },

    takeTry: async ({ id }) => {
      const { rowCount } = await pool.query(
        `update watchroom_identity.flows set tries = tries + 1 where id = $1 and tries < ${MAX_TRIES}`,
        [id],
      )
      return rowCount === 1
    },

    takeSealed: async (flow, name) => {
      const { [name]: taken, ...sealed } = flow.state.sealed
      const { rowCount } = await pool.query(
        `update watchroom_identity.flows set state = state #- array['sealed', $2] where id = $1 and state -> 'sealed' ->> $2 = $3`,
        [flow.id, name, taken],
      )
      return rowCount === 1 ? { ...flow, state: { ...flow.state, sealed } } : null
    },

    complete: async ({ id }) => {
      const { rowCount } = await pool.query('delete from watchroom_identity.flows where id = $1', [id])
      return rowCount === 1
    },
  }
}

/** The form's token follows from the browser's cookie, so that a form made in another browser is refused here. */
export const csrfTokenOf = (flowId: string, csrfCookie: string): string => deriveToken(`csrf:${flowId}`, csrfCookie)
