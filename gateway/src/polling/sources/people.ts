import type { Clock } from '@watchroom/shared/kernel'
import { type Person, toPeople } from '@watchroom/shared/people'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** When someone was last seen moves on by itself; where the database tells, the rest comes at once. */
const INTERVAL_MS = 15_000
/** The users page of an installation larger than this is not a list that people read. */
const MAX_ROWS = 5_000

const AnswerSchema = z.array(z.unknown())

/** Identities joined with their roles, as the users page shows them (backend reference 5.1). */
export function createPeopleSource({ backend, clock }: { backend: BackendClient; clock: Clock }): Source<Person> {
  const list = (path: string, signal: AbortSignal): Promise<unknown[]> =>
    readUpstream(backend, path, signal, async (response) => AnswerSchema.parse(await response.json()))
  return {
    name: 'people',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = clock.now()
      const [identities, roles] = await Promise.all([
        list(`/db/identities?select=*&limit=${MAX_ROWS}`, signal),
        list(`/db/people_roles?select=id,roles&limit=${MAX_ROWS}`, signal),
      ])
      const { people, dropped } = toPeople(identities, roles)
      return { kind: 'all', asOf, rows: people, droppedRows: dropped }
    },
  }
}
