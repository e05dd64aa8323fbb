import { type IncidentEvent, IncidentEventSchema, MAX_HISTORY } from '@watchroom/shared/incidents'
import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { parseRows } from './readTable.ts'
import { readUpstream } from './upstream.ts'

const PERSON = '(id,name,avatar)'
const RESPONDERS = `*,created_by${PERSON},person:person_id${PERSON},team:team_id(id,name,icon,spec)`
const ABOUT = 'id,description,type,components(id,name,icon),configs(id,name),config_changes(id,change_type)'
const EVIDENCE = `${ABOUT},config_analysis(id,analyzer,message,analysis),checks(id,icon,name)`
const HISTORY = [
  `*,created_by${PERSON}`,
  `evidence:evidences(${EVIDENCE})`,
  'hypothesis:hypotheses(id,title)',
  `responder:responders(id,person:person_id${PERSON},team:team_id(id,name,icon))`,
  'comment:comments(id,comment)',
].join(',')
/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 10_000

const AnswerSchema = z.array(z.record(z.string(), z.unknown()))

/** Responders and changelog of one incident. */
export function createIncidentEventsSource(deps: {
  backend: BackendClient
  clock: Clock
  incidentId: string
}): Source<IncidentEvent> {
  const of = `incident_id=eq.${deps.incidentId}`
  const paths = {
    responder: `/db/responders?${of}&deleted_at=is.null&select=${encodeURIComponent(RESPONDERS)}`,
    history: `/db/incident_histories?${of}&order=created_at.desc,id&limit=${MAX_HISTORY}&select=${encodeURIComponent(HISTORY)}`,
  }
  return {
    name: 'incident',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      const read = (kind: keyof typeof paths): Promise<Record<string, unknown>[]> =>
        readUpstream(deps.backend, paths[kind], signal, async (response) =>
          AnswerSchema.parse(await response.json()).map((row) => ({ ...row, kind })),
        )
      const answer = (await Promise.all([read('responder'), read('history')])).flat()
      return { kind: 'all', asOf, ...parseRows(answer, IncidentEventSchema) }
    },
  }
}
