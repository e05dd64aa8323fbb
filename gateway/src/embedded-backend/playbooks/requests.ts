import type { Pool } from 'pg'
// What routes of playbooks have in common: what they ask of a request, and how they refuse.
import { z } from 'zod'

import { Refusal } from '../../platform/http/refusal.ts'
import type { BackendContext } from '../server/context.ts'
import type { Principal } from '../server/principal.ts'
import type { Playbooks } from './createPlaybooks.ts'
import type { RunRefusal } from './createRunDecisions.ts'
import type { Requester } from './createRuns.ts'
import { readTarget, type Target, type TargetIds, type TargetRow, targetsOf } from './readScope.ts'

export interface PlaybookRoutesDeps {
  readonly context: Pick<BackendContext, 'pool' | 'clock' | 'vault' | 'logger'>
  readonly playbooks: Playbooks
}

const resource = z.guid().nullish()
export const ResourceSchema = z.object({ check_id: resource, component_id: resource, config_id: resource })
export const IdSchema = z.object({ id: z.guid() })
export const MessageSchema = z.object({ message: z.string() })

export const refuse = (status: number, error: string, message?: string): Refusal =>
  new Refusal(status, { error, ...(message === undefined ? {} : { message }) })

export function requireDone(refusal: RunRefusal | null): void {
  if (refusal) throw refuse(refusal.status, refusal.error)
}

/** Null where the gateway asks for nobody in particular. */
export const requesterOf = ({ kind, id, name, email }: Principal): Requester | null =>
  kind === 'person' ? { id, name, email } : null

/** @throws Refusal where people do not sign in: nobody could say whose word it is */
export function requirePerson({ kind, id }: Principal): string {
  if (kind !== 'person') throw refuse(403, 'only a person may say so')
  return id
}

const NEEDS_ONE = 'provide exactly one of: config_id, check_id or component_id'
const NEEDS_ONE_AT_MOST = 'invalid request: provide none or exactly one of config_id, component_id, or check_id'

/** @throws Refusal */
export function requireTarget(ids: TargetIds, isOptional: boolean): Target {
  const targets = targetsOf(ids)
  if (targets.length > 1 || (targets.length === 0 && !isOptional)) {
    throw isOptional ? refuse(400, NEEDS_ONE_AT_MOST) : refuse(400, NEEDS_ONE, 'invalid request')
  }
  return targets[0] ?? null
}

/** @throws Refusal */
export async function requireRow(pool: Pick<Pool, 'query'>, target: Target): Promise<TargetRow> {
  const row = await readTarget(pool, target)
  if (row === null) throw refuse(404, `${target?.kind ?? 'resource'}(id=${target?.id ?? ''}) not found`)
  return row
}
