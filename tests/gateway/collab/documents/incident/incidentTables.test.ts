import { describe, expect, it } from 'vitest'
import { ZodError } from 'zod'

import { buildIncidentRows, INCIDENT, testId } from '#support/incidentDocument.ts'

import { createIncidentTables } from '../../../../../gateway/src/collab/documents/incident/incidentTables.ts'
import { createRowMemory } from '../../../../../gateway/src/collab/write-back/createRowMemory.ts'
import type { BackendClient, BackendResponse } from '../../../../../gateway/src/platform/httpClient.ts'

/** A backend that answers every read with these rows. */
function backendWith(incident: Record<string, unknown>, firstComment: Record<string, unknown> = {}): BackendClient {
  const { hypotheses, evidences, comments: all } = buildIncidentRows()
  const comments = all.map((row, index) => (index === 0 ? { ...row, ...firstComment } : row))
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

  it('gives rows that came as they came before as the same objects, and only those', async () => {
    const memory = createRowMemory()
    const incident = { ...buildIncidentRows().incident }
    const change = { comment: 'Something else' }
    const before = await createIncidentTables(backendWith(incident)).read(INCIDENT, memory)
    const after = await createIncidentTables(backendWith(incident, change)).read(INCIDENT, memory)
    const same = (name: 'hypotheses' | 'evidences' | 'comments'): boolean[] =>
      after?.[name].map((row, index) => row === before?.[name][index]) ?? []
    expect(same('hypotheses')).toEqual(before?.hypotheses.map(() => true))
    expect(same('evidences')).toEqual(before?.evidences.map(() => true))
    expect(same('comments')).toEqual(before?.comments.map((_row, index) => index > 0))
    expect(after?.comments[0]?.comment).toBe('Something else')
    expect(await createIncidentTables(backendWith(incident)).read(INCIDENT, memory)).toEqual(before)
  })

  it('lets others have a turn while it parses a large incident', async () => {
    const [comment] = buildIncidentRows().comments
    const comments = Array.from({ length: 1_000 }, (_, index) => ({ ...comment, id: testId('c', index + 1) }))
    const answer = [{ ...buildIncidentRows().incident, hypotheses: [], comments }]
    const response = { status: 200, headers: {}, json: async () => answer } as unknown as BackendResponse
    const backend: BackendClient = { ...backendWith({}), request: async () => response }
    let turns = 0
    let isRead = false
    const count = (): void => {
      turns += 1
      if (!isRead) setImmediate(count)
    }
    setImmediate(count)
    const rows = await createIncidentTables(backend).read(INCIDENT)
    isRead = true
    expect(rows?.comments).toHaveLength(1_000)
    expect(turns).toBeGreaterThanOrEqual(4)
  })

  it('does not understand an answer whose rows are none', async () => {
    const answer = [{ ...buildIncidentRows().incident, hypotheses: [{ id: testId('h', 1) }], comments: [] }]
    const response = { status: 200, headers: {}, json: async () => answer } as unknown as BackendResponse
    const backend: BackendClient = { ...backendWith({}), request: async () => response }
    await expect(createIncidentTables(backend).read(INCIDENT)).rejects.toThrow(ZodError)
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

  it.each([
    ['23503', 'This refers to something that is no longer there'],
    ['22P05', 'It holds characters that cannot be stored'],
    ['XX000', 'the backend answered 409'],
  ])('[COLLAB-26] says in words for people what the database refused with %s', async (code, message) => {
    const raw = 'insert or update on table "evidences" violates foreign key constraint "evidences_check_id_fkey"'
    const text = JSON.stringify({ code, message: raw, details: 'Key (check_id)=(42) is not present', hint: null })
    const response = { status: 409, headers: {}, text: async () => text } as unknown as BackendResponse
    const backend: BackendClient = { ...backendWith({}), request: async () => response }
    const write = { kind: 'update', entity: 'incidents', id: INCIDENT, row: { severity: 'low' }, key: 'k' } as const
    const outcome = await createIncidentTables(backend).write(INCIDENT, write, null)
    expect(outcome).toEqual({ kind: 'refused', message, detail: `${code} ${raw}` })
  })
})
