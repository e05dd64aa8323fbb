import type { Clock } from '@watchroom/shared/kernel'
import { type PlaybookCard, PlaybookCardSchema } from '@watchroom/shared/playbooks'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** As many as anyone has; the cards are found by search. */
const MAX_ROWS = 2_000
const PATH = `/db/playbooks?select=id,name,title,category,description,icon,source,updated_at&deleted_at=is.null&order=title.asc.nullslast&limit=${MAX_ROWS}`

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

/** Playbooks as their cards show them. */
export function createPlaybooksSource(deps: { backend: BackendClient; clock: Clock }): Source<PlaybookCard> {
  return {
    name: 'playbooks',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, PATH, PlaybookCardSchema, signal)) }
    },
  }
}
