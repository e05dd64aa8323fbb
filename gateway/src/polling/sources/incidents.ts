import { type IncidentSummary, IncidentSummarySchema } from '@watchroom/shared/incidents'
import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

/** Newest first; a list of more than these is not read by people any more. */
const MAX_ROWS = 5_000
const PATH = `/db/incident_summary?order=created_at.desc&limit=${MAX_ROWS}`

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const AnswerSchema = z.array(z.unknown())

export function createIncidentsSource(deps: { backend: BackendClient; clock: Clock }): Source<IncidentSummary> {
  return {
    name: 'incidents',
    intervalMs: INTERVAL_MS,
    read: (signal) => {
      const asOf = deps.clock.now()
      return readUpstream(deps.backend, PATH, signal, async (response) => {
        const answer = AnswerSchema.parse(await response.json())
        const rows = answer.flatMap((raw) => {
          const row = IncidentSummarySchema.safeParse(raw)
          return row.success ? [row.data] : []
        })
        return { kind: 'all', asOf, rows, droppedRows: answer.length - rows.length }
      })
    },
  }
}
