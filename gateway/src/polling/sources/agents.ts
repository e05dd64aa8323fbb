import { type AgentSummary, AgentSummarySchema } from '@watchroom/shared/agents'
import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readUpstream } from './upstream.ts'

const PATH = '/db/agents_summary?select=*,created_by(id,name,avatar)'

/** Agents report once a minute; the counts beside them change with every push. */
const INTERVAL_MS = 15_000

const AnswerSchema = z.array(z.unknown())

export function createAgentsSource(deps: { backend: BackendClient; clock: Clock }): Source<AgentSummary> {
  return {
    name: 'agents',
    intervalMs: INTERVAL_MS,
    read: (signal) => {
      const asOf = deps.clock.now()
      return readUpstream(deps.backend, PATH, signal, async (response) => {
        const answer = AnswerSchema.parse(await response.json())
        const rows = answer.flatMap((raw) => {
          const row = AgentSummarySchema.safeParse(raw)
          return row.success ? [row.data] : []
        })
        return { kind: 'all', asOf, rows, droppedRows: answer.length - rows.length }
      })
    },
  }
}
