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

  it.each([
    ['7', { retryAfterMs: 7_000 }],
    ['86400', { retryAfterMs: 300_000 }],
    ['-5', {}],
    ['soon', {}],
    [undefined, {}],
  ])('asked by Retry-After %s to wait, does so within reason', async (retryAfter, expected) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter }
    const response = { status: 503, headers, text: async () => 'busy' } as unknown as BackendResponse
    const backend: BackendClient = { ...backendWith({}), request: async () => response }
    const write = { kind: 'update', entity: 'incidents', id: INCIDENT, row: { severity: 'low' }, key: 'k' } as const
    expect(await createIncidentTables(backend).write(INCIDENT, write, null)).toEqual({
      kind: 'later',
      message: 'the backend answered 503',
      ...expected,
    })
  })
})
