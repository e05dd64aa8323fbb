// Items that scripts decide, of incidents that are not over, as the backend's rows tell them.

import { z } from 'zod'

import { type BackendClient, BackendFailure } from '../platform/httpClient.ts'
import type { DodItem } from './contract.ts'

const TIMEOUT_MS = 10_000
/** Newest first; more are looked at when these are settled. */
const MAX_ITEMS = 500

const optional = z
  .string()
  .nullish()
  .transform((value) => value ?? null)

const AnswerSchema = z.array(
  z.object({
    id: z.string(),
    script: z.string(),
    done: z
      .boolean()
      .nullish()
      .transform((value) => value ?? null),
    check_id: optional,
    component_id: optional,
    config_id: optional,
    config_analysis_id: optional,
    hypotheses: z.object({ incident_id: z.string() }),
  }),
)

export interface UnattendedRows {
  /** Items that are not settled yet, by incident. @throws BackendFailure, Error when the answer is not understood */
  read(): Promise<Map<string, DodItem[]>>
  /** Writes a verdict in nobody's name, unless people decide the item themselves by now. @throws BackendFailure */
  setDone(evidenceId: string, done: boolean): Promise<void>
}

export function createUnattendedRows(backend: BackendClient): UnattendedRows {
  const automatic = 'definition_of_done=is.true&script=not.is.null'
  return {
    read: async () => {
      const columns = 'id,script,done,check_id,component_id,config_id,config_analysis_id'
      const select = `${columns},hypotheses!inner(incident_id,incidents!inner(status))`
      const response = await backend.request({
        path:
          `/db/evidences?${automatic}&done=not.is.true&hypotheses.incidents.status=neq.closed` +
          `&select=${encodeURIComponent(select)}&order=created_at.desc&limit=${MAX_ITEMS}`,
        headers: { accept: 'application/json' },
        timeoutMs: TIMEOUT_MS,
      })
      if (response.status !== 200) {
        response.discard()
        throw new BackendFailure('broken', `reading the definition of done was answered with ${response.status}`)
      }
      const items = new Map<string, DodItem[]>()
      for (const row of AnswerSchema.parse(await response.json())) {
        const incidentId = row.hypotheses.incident_id
        const item: DodItem = {
          id: row.id,
          script: row.script,
          done: row.done,
          checkId: row.check_id,
          componentId: row.component_id,
          configId: row.config_id,
          analysisId: row.config_analysis_id,
        }
        items.set(incidentId, [...(items.get(incidentId) ?? []), item])
      }
      return items
    },

    setDone: async (evidenceId, done) => {
      const response = await backend.request({
        method: 'PATCH',
        path: `/db/evidences?id=eq.${evidenceId}&${automatic}`,
        headers: { accept: 'application/json', 'content-type': 'application/json', prefer: 'return=minimal' },
        body: JSON.stringify({ done }),
        timeoutMs: TIMEOUT_MS,
      })
      response.discard()
      if (response.status >= 300) {
        throw new BackendFailure('broken', `writing a verdict was answered with ${response.status}`)
      }
    },
  }
}
