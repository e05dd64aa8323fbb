import type { IncidentRows } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'

import { ANA, buildIncidentRows, testId } from '#support/incidentDocument.ts'

import type { RowWrite } from '../../../../gateway/src/collab/documentKind.ts'
import { incidentKind, toDocumentRows } from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'
import { planWrites, toBase } from '../../../../gateway/src/collab/write-back/planWrites.ts'

const agreedRows = (): ReturnType<typeof toBase> => toBase(toDocumentRows(buildIncidentRows()))
const planFor = (wanted: IncidentRows, base = agreedRows()): RowWrite[] =>
  planWrites('i1', incidentKind.entities, base, toDocumentRows(wanted))

const plan = (change: (rows: IncidentRows) => void): { kind: string; entity: string; id: string; row?: unknown }[] => {
  const wanted = buildIncidentRows()
  change(wanted)
  return planFor(wanted).map(({ key: _, ...write }) => write)
}

describe('planWrites', () => {
  it('plans nothing when both sides agree, whatever the order of keys', () => {
    expect(
      plan((rows) => (rows.evidences = rows.evidences.map((row) => ({ ...row, evidence: { includeMessages: true } })))),
    ).toEqual([])
  })

  it('looks at the fields of changed rows only, when it planned before', () => {
    const read: string[] = []
    const watched = <Row extends object>(row: Row): Row =>
      new Proxy(row, {
        ownKeys: (target) => {
          read.push(Reflect.get(target, 'id') as string)
          return Reflect.ownKeys(target)
        },
      })
    const { incident, hypotheses, evidences, comments } = buildIncidentRows()
    const wanted: IncidentRows = {
      incident: watched(incident),
      hypotheses: hypotheses.map(watched),
      evidences: evidences.map(watched),
      comments: comments.map(watched),
    }
    const base = agreedRows()
    expect(planFor(wanted, base)).toEqual([])
    expect(new Set(read).size).toBe(1 + hypotheses.length + evidences.length + comments.length)
    read.length = 0
    const second = hypotheses[1]!
    const changed = {
      ...wanted,
      hypotheses: wanted.hypotheses.with(1, watched({ ...second, title: 'Queue is stuck' })),
    }
    expect(planFor(changed, base)).toHaveLength(1)
    expect(new Set(read)).toEqual(new Set([second.id]))
  })

  it('sends only the fields that changed', () => {
    expect(
      plan((rows) => {
        rows.incident.status = 'mitigated'
        rows.hypotheses[1] = { ...rows.hypotheses[1]!, title: 'Queue is stuck' }
      }),
    ).toEqual([
      { kind: 'update', entity: 'incidents', id: testId('i', 1), row: { status: 'mitigated' } },
      { kind: 'update', entity: 'hypotheses', id: testId('h', 2), row: { title: 'Queue is stuck' } },
    ])
  })

  it('inserts parents before children, and evidence and comments behind their hypotheses', () => {
    const by = { created_by: ANA, created_at: '2026-03-01T08:00:00.000Z' }
    const writes = plan((rows) => {
      rows.hypotheses.push({
        ...by,
        id: testId('h', 8),
        parent_id: testId('h', 2),
        type: 'solution',
        title: 'a',
        status: 'possible',
      })
      rows.comments.push({
        ...by,
        id: testId('m', 8),
        hypothesis_id: testId('h', 8),
        comment: 'c',
        external_created_by: null,
        responder_id: null,
      })
    })
    expect(writes.map(({ kind, entity }) => `${kind} ${entity}`)).toEqual(['insert hypotheses', 'insert comments'])
  })

  it('deletes comments and evidence before their hypotheses, and children before parents', () => {
    const writes = plan((rows) => {
      rows.hypotheses = rows.hypotheses.slice(2)
      rows.evidences = []
      rows.comments = []
    })
    expect(writes.map(({ kind, entity, id }) => `${kind} ${entity} ${id}`)).toEqual([
      `delete comments ${testId('m', 1)}`,
      `delete evidences ${testId('e', 1)}`,
      `delete hypotheses ${testId('h', 2)}`,
      `delete hypotheses ${testId('h', 1)}`,
    ])
  })

  it('gives the same wish the same key and another wish another', () => {
    const keyOf = (title: string): string | undefined => {
      const wanted = buildIncidentRows()
      wanted.incident.title = title
      return planFor(wanted)[0]?.key
    }
    expect(keyOf('a')).toBe(keyOf('a'))
    expect(keyOf('a')).not.toBe(keyOf('b'))
  })
})
