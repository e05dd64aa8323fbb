import type { Clock } from '@watchroom/shared/kernel'
import type { RelatedAt } from '@watchroom/shared/protocol'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const NEWEST = 300
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

const EdgeSchema = z.object({
  config_id: z.string(),
  related_id: z.string(),
  updated_at: z.string(),
  deleted_at: z.string().nullish(),
})
const PATH = `/db/config_relationships?select=config_id,related_id,updated_at,deleted_at&limit=${NEWEST}`
const PATHS = [
  `${PATH}&order=updated_at.desc`,
  // Deletion leaves the time of the last change as it is.
  `${PATH}&deleted_at=not.is.null&order=deleted_at.desc`,
]

/** Which items were related or parted last. */
export function createConfigRelationshipsSource(deps: { backend: BackendClient; clock: Clock }): Source<RelatedAt> {
  return {
    name: 'configRelationships',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const read = await Promise.all(PATHS.map((path) => readTable(deps.backend, path, EdgeSchema, signal)))
      const edges = read
        .flatMap(({ rows }) => rows)
        .map((edge) => ({ ...edge, at: edge.deleted_at ?? edge.updated_at }))
      const rows = new Map<string, RelatedAt>()
      for (const { config_id, related_id, at } of edges.toSorted((one, other) => (one.at < other.at ? -1 : 1))) {
        for (const id of [config_id, related_id]) rows.set(id, { config_id: id, at })
      }
      const droppedRows = read.reduce((sum, part) => sum + part.droppedRows, 0)
      return { kind: 'all', asOf, rows: [...rows.values()], droppedRows }
    },
  }
}
