import { describe, expect, it } from 'vitest'

import { buildIncidentRows, INCIDENT } from '#support/incidentDocument.ts'

import { createIncidentTables } from '../../../gateway/src/collab/incidentTables.ts'
import type { BackendClient, BackendResponse } from '../../../gateway/src/platform/httpClient.ts'

/** A backend that answers every read with these rows. */
function backendWith(incident: Record<string, unknown>): BackendClient {
  const { hypotheses, evidences, comments } = buildIncidentRows()
  const nested = hypotheses.map((row) => ({
    ...row,
    evidences: evidences.filter(({ hypothesis_id: hypothesisId }) => hypothesisId === row.id),
  }))
  const answer = [{ ...incident, hypotheses: nested, comments }]
  const response = { status: 200, headers: {}, json: async () => answer } as unknown as BackendResponse
  return { request: async () => response, hasServiceCredential: true, close: async () => undefined }
}

describe('createIncidentTables', () => {
  it.each([
    ['Critical', 'critical'],
    ['high', 'high'],
  ])('reads the severity %s as %s, whoever wrote it', async (severity, read) => {
    const rows = await createIncidentTables(backendWith({ ...buildIncidentRows().incident, severity })).read(INCIDENT)
    expect(rows?.incident.severity).toBe(read)
  })

  it('reads the type as the console spells it', async () => {
    const incident = { ...buildIncidentRows().incident, type: 'technical_debt' }
    const rows = await createIncidentTables(backendWith(incident)).read(INCIDENT)
    expect(rows?.incident.type).toBe('technicalDebt')
    expect(rows?.evidences).toHaveLength(1)
  })
})
