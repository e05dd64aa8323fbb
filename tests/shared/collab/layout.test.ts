import {
  type DocumentLayout,
  INCIDENT_LAYOUT,
  migrateDocument,
  projectIncident,
  rootOf,
  schemaOf,
} from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { ANA, BO, buildPeer } from '#support/incidentDocument.ts'

/** Severities were once written in capitals; whether they were is the document's own business. */
const LATER: DocumentLayout = {
  version: 3,
  migrations: [
    { to: 2, run: (doc) => rootOf(doc, 'incident').set('severity', 'blocker') },
    { to: 3, run: (doc) => rootOf(doc, 'incident').set('type', 'cost') },
  ],
}

describe('[DOC-18] a migration', () => {
  it('runs in order, each once, and notes the version', () => {
    const { doc } = buildPeer(ANA, { clientId: 1 })
    expect(schemaOf(doc)).toBe(1)
    doc.transact(() => migrateDocument(doc, LATER))
    expect(schemaOf(doc)).toBe(3)
    expect(projectIncident(doc).incident).toMatchObject({ severity: 'blocker', type: 'cost' })
    const state = Y.encodeStateAsUpdate(doc)
    rootOf(doc, 'incident')
    doc.transact(() => migrateDocument(doc, LATER))
    expect(Y.encodeStateAsUpdate(doc)).toEqual(state)
  })

  it('gives the same bytes wherever it runs', () => {
    const run = (userId: string): Uint8Array => {
      const { doc } = buildPeer(userId, { clientId: 7 })
      doc.transact(() => migrateDocument(doc, LATER))
      return Y.encodeStateAsUpdate(doc)
    }
    expect(run(BO)).toEqual(run(ANA))
  })

  it('leaves a document alone that no way leads from', () => {
    const { doc } = buildPeer(ANA, { clientId: 1 })
    const state = Y.encodeStateAsUpdate(doc)
    expect(() => migrateDocument(doc, { version: 3, migrations: LATER.migrations.slice(1) })).toThrow('no way from')
    expect(Y.encodeStateAsUpdate(doc)).toEqual(state)
    migrateDocument(doc, INCIDENT_LAYOUT)
    expect(Y.encodeStateAsUpdate(doc)).toEqual(state)
  })
})
