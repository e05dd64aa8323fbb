// docs/how-to/add-a-collab-field.md, followed with two fields of an incident: a value and a text. Only what the page asks for is added
// here; everything else has to follow from it.
import { existsSync } from 'node:fs'

import type { Field, IncidentRows } from '@watchroom/shared/collab'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as Y from 'yjs'
import { z } from 'zod'

import type * as IncidentDocument from '#support/incidentDocument.ts'

import type * as Kind from '../../../gateway/src/collab/documents/incident/incidentKind.ts'
import type * as Plan from '../../../gateway/src/collab/write-back/planWrites.ts'
import type * as Collab from '../../../shared/src/collab/index.ts'
import type * as Digest from '../../../web/src/collab/toDigest.ts'
import { ROOT, readText } from '../../architecture/sources.ts'

const HOW_TO = readText('docs/how-to/add-a-collab-field.md')

/** Step 1: one line each. */
const ADDED: Readonly<Record<'audience' | 'lessons', Field>> = {
  audience: {
    kind: 'value',
    column: 'audience',
    label: 'Audience',
    schema: z.enum(['inside', 'customers']),
    fallback: 'inside',
    restMs: 200,
  },
  lessons: { kind: 'text', column: 'lessons', label: 'Lessons', maxLength: 20, isRequired: false, restMs: 1_000 },
}
type Added = { audience: string; lessons: string }

let collab: typeof Collab
let support: typeof IncidentDocument
let kind: typeof Kind
let plan: typeof Plan
let digest: typeof Digest

/** Everything is read again, which takes seconds where much else runs. */
const READ_AGAIN_MS = 60_000

// Modules of this file alone: others know the fields that there are.
beforeAll(async () => {
  vi.resetModules()
  const { FIELDS } = await import('../../../shared/src/collab/documents/incident/fields.ts')
  Object.assign(FIELDS.incident, ADDED)
  collab = await import('../../../shared/src/collab/index.ts')
  support = await import('#support/incidentDocument.ts')
  kind = await import('../../../gateway/src/collab/documents/incident/incidentKind.ts')
  plan = await import('../../../gateway/src/collab/write-back/planWrites.ts')
  digest = await import('../../../web/src/collab/toDigest.ts')
}, READ_AGAIN_MS)
afterAll(() => vi.resetModules())

/** Steps 5 and 6: the columns of its row. */
function rowsWith(added: Partial<Added> = {}): IncidentRows {
  const rows = support.buildIncidentRows()
  Object.assign(rows.incident, { audience: 'inside', lessons: 'Label early', ...added })
  return rows
}
const peer = (clientId: number, userId = support.ANA): IncidentDocument.TestPeer =>
  support.buildPeer(userId, { rows: rowsWith(), clientId })
const shown = (doc: Y.Doc): Added => collab.readIncident(doc).incident as object as Added
const projected = (doc: Y.Doc): Added => collab.projectIncident(doc).incident as object as Added
/** Step 3: what a method of the editor and its text accessor write to. */
const fieldsOf = (doc: Y.Doc): Y.Map<unknown> => collab.rootOf(doc, 'incident')
const lessonsOf = (doc: Y.Doc): Y.Text => fieldsOf(doc).get('lessons') as Y.Text

/** Whether the gateway takes the change, as it judges it on its own copy. */
function judge(change: (doc: Y.Doc) => void): string | null {
  const [{ doc }, { doc: guard }] = [peer(2), peer(3)]
  change(doc)
  const watch = collab.watchChange(guard, { userId: support.BO, isModerator: false })
  Y.applyUpdate(guard, Y.encodeStateAsUpdate(doc, Y.encodeStateVector(guard)))
  return watch.finish()?.reason ?? null
}

describe('docs/how-to/add-a-collab-field.md', () => {
  it('names files that exist', () => {
    const named = [...HOW_TO.matchAll(/`((?:shared|gateway|web|tests)\/[\w./-]+\.(?:tsx?|md))`/g)].map(
      ([, path = '']) => path,
    )
    expect(named.length).toBeGreaterThanOrEqual(8)
    expect(named.filter((path) => !existsSync(ROOT + path))).toEqual([])
  })
})

describe('a field that was added by it', () => {
  it('is seeded, read and projected', () => {
    const { doc } = peer(1)
    expect(shown(doc)).toMatchObject({ audience: 'inside', lessons: 'Label early' })
    expect(projected(doc)).toMatchObject({ audience: 'inside', lessons: 'Label early' })
  })

  it('ends equal for two people who change it at once: one value wins, and both texts survive', () => {
    const [a, b] = [peer(1), peer(2, support.BO)]
    fieldsOf(a.doc).set('audience', 'customers')
    fieldsOf(b.doc).set('audience', 'inside')
    lessonsOf(a.doc).insert(0, 'A ')
    lessonsOf(b.doc).insert(lessonsOf(b.doc).length, ' B')
    support.syncDocuments(a.doc, b.doc)
    expect(shown(a.doc)).toEqual(shown(b.doc))
    expect(shown(a.doc).lessons).toBe('A Label early B')
  })

  it('shows its fallback for a value that is not known, and leaves that in its row', () => {
    const { doc } = peer(1)
    fieldsOf(doc).set('audience', 'regulators')
    expect(shown(doc).audience).toBe('inside')
    expect(projected(doc).audience).toBe('regulators')
  })

  it('is refused by the gateway where it does not fit', () => {
    expect(judge((doc) => fieldsOf(doc).set('audience', 'customers'))).toBeNull()
    expect(judge((doc) => fieldsOf(doc).set('audience', 7))).not.toBeNull()
    expect(judge((doc) => lessonsOf(doc).insert(0, 'more '))).toBeNull()
    expect(judge((doc) => lessonsOf(doc).insert(0, 'far too much of it '))).not.toBeNull()
    // What nobody described is no field.
    expect(judge((doc) => fieldsOf(doc).set('mood', 'fine'))).not.toBeNull()
  })

  it('takes over what others wrote into its row, and keeps what was changed here', () => {
    const { doc } = peer(1)
    const base = collab.projectIncident(doc)
    fieldsOf(doc).set('audience', 'customers')
    const actual = structuredClone(base)
    Object.assign(actual.incident, { lessons: 'Label early!', audience: 'inside' })
    doc.transact(() => collab.mergeRows(doc, base, actual, { now: '2026-03-01T10:00:00.000Z' }))
    expect(shown(doc)).toMatchObject({ audience: 'customers', lessons: 'Label early!' })
  })

  it('is written back alone, and its author is found by its path', () => {
    const base = plan.toBase(kind.toDocumentRows(rowsWith()))
    const wanted = kind.toDocumentRows(rowsWith({ audience: 'customers' }))
    const writes = plan.planWrites('i1', kind.incidentKind.entities, base, wanted)
    expect(writes).toMatchObject([{ kind: 'update', entity: 'incidents', row: { audience: 'customers' } }])
    expect(collab.fieldOfColumn('incidents', 'audience')?.key).toBe('audience')
    expect(collab.fieldAt('incident/lessons')?.label).toBe('Lessons')
  })

  it('is told to whoever was away', () => {
    const { doc } = peer(1)
    const seen = digest.toSeen(collab.readIncident(doc), 1_000)
    fieldsOf(doc).set('audience', 'customers')
    lessonsOf(doc).insert(0, 'Do ')
    expect(digest.toDigest(seen, collab.readIncident(doc), support.ANA)?.entries).toMatchObject([
      { kind: 'incident', change: 'changed', fields: ['audience', 'lessons'] },
    ])
  })

  it('is given to a document of before: a value by its fallback, a text by a step of the layout', () => {
    const doc = new Y.Doc()
    doc.getMap('meta').set('schema', collab.INCIDENT_SCHEMA_VERSION)
    expect(shown(doc)).toMatchObject({ audience: 'inside', lessons: '' })
    const { version, migrations } = collab.INCIDENT_LAYOUT
    const next = {
      version: version + 1,
      migrations: [
        ...migrations,
        { to: version + 1, run: (older: Y.Doc) => fieldsOf(older).set('lessons', new Y.Text()) },
      ],
    }
    doc.transact(() => collab.migrateDocument(doc, next))
    lessonsOf(doc).insert(0, 'Now')
    expect(shown(doc).lessons).toBe('Now')
  })
})
