// Another kind of shared document, made of nothing but its own rules: one row with one text. Sockets and the log are real, its
// table is in memory.
import { toSeedClientId } from '@watchroom/shared/collab'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentPage, openPage } from '#support/documentPage.ts'
import { type DocumentServer, startDocumentServer } from '#support/documentServer.ts'
import { ANA, BO, INCIDENT as NOTE } from '#support/incidentDocument.ts'
import { until } from '#support/processes.ts'

import type { DocumentKind, DocumentRows, EntityRow, RowWrite } from '../../../gateway/src/collab/documentKind.ts'

interface NoteRow extends EntityRow {
  readonly text: string
}

const MAX_LENGTH = 40

const textOf = (doc: Y.Doc): Y.Text => doc.getMap('note').get('text') as Y.Text
const toRow = (text: string): NoteRow => ({ id: NOTE, text })
const toRows = (text: string): DocumentRows => ({ notes: [toRow(text)] })
const saidBy = ({ notes = [] }: DocumentRows): string => (notes as readonly NoteRow[])[0]?.text ?? ''

function seed(rows: DocumentRows, epoch: string): Uint8Array {
  const doc = new Y.Doc()
  doc.clientID = toSeedClientId([epoch, rows])
  doc.transact(() => {
    doc.getMap('meta').set('schema', 1)
    doc.getMap('meta').set('epoch', epoch)
    doc.getMap('note').set('text', new Y.Text(saidBy(rows)))
  })
  return Y.encodeStateAsUpdate(doc)
}

function buildNotes(table: { row: NoteRow; sent: { write: RowWrite; actor: string | null }[] }): DocumentKind<string> {
  return {
    name: 'note',
    words: 'note',
    resource: 'comments',
    source: (id) => `notes?id=eq.${id}`,
    layout: { version: 1, migrations: [] },
    roots: ['meta', 'note'],
    entities: [{ name: 'notes', editable: 'text', needs: {} }],
    references: {},
    rest: { shortestMs: 10, longestMs: 50, ofColumn: () => 50 },
    seed,
    compact: (doc, epoch) => seed(toRows(textOf(doc).toJSON()), epoch),
    read: (doc) => {
      let rows = toRows('')
      return {
        view: () => textOf(doc).toJSON(),
        rows: () => {
          const text = textOf(doc).toJSON()
          if (saidBy(rows) !== text) rows = toRows(text)
          return rows
        },
        isKept: () => false,
        close: () => undefined,
      }
    },
    merge: (doc, agreed, actual) => {
      const text = textOf(doc)
      if (saidBy(agreed) !== saidBy(actual)) text.applyDelta([{ delete: text.length }, { insert: saidBy(actual) }])
    },
    watchChange: (doc) => ({
      finish: () =>
        textOf(doc).length > MAX_LENGTH ? { path: 'note/text', reason: `longer than ${MAX_LENGTH}` } : null,
      added: () => [],
    }),
    namedBy: () => [],
    stamp: () => undefined,
    authorOf: (authors) => authors.of('note/text') ?? null,
    createTables: () => ({
      read: async (id) => (id === NOTE ? { notes: [{ ...table.row }] } : null),
      write: async (_id, write, actor) => {
        table.sent.push({ write, actor })
        if (write.kind === 'update') table.row = { ...table.row, ...write.row }
        return { kind: 'written' }
      },
    }),
  }
}

let database: TestDatabase
let server: DocumentServer
let table: Parameters<typeof buildNotes>[0]

beforeEach(async () => {
  database = await startTestDatabase()
  table = { row: toRow('Call the carrier'), sent: [] }
  server = await startDocumentServer(database, { kind: buildNotes(table) })
})

afterEach(async () => {
  await server?.stop()
  await database?.stop()
})

const openBoth = (): Promise<DocumentPage[]> =>
  Promise.all([openPage(server.url, { userId: ANA }), openPage(server.url, { userId: BO })])
const says = ({ doc }: DocumentPage): string => textOf(doc).toJSON()

describe('a document of another kind', () => {
  it('is seeded from its row, edited by two people at once, and written back in the name of who wrote', async () => {
    const [ana, bo] = await openBoth()
    expect([says(ana!), says(bo!)]).toEqual(['Call the carrier', 'Call the carrier'])
    textOf(ana!.doc).insert(16, ' again')
    textOf(bo!.doc).insert(0, 'Today: ')
    const both = 'Today: Call the carrier again'
    await until(() => says(ana!) === both && says(bo!) === both, { what: 'both edits at both pages' })
    await until(() => table.row.text === both, { what: 'the row' })
    expect([ANA, BO]).toContain(table.sent.at(-1)?.actor)
    expect(table.sent.map(({ write }) => `${write.kind} ${write.entity}`)).not.toContain('insert notes')
    await until(
      () => ana!.own.some(({ type, value }) => type === 'saved' && 'sequence' in value && value.sequence > 1),
      {
        what: 'the word that it is saved',
      },
    )
  })

  it('takes what others write into its row', async () => {
    const [ana, bo] = await openBoth()
    table.row = toRow('Carrier called')
    server.collab.wake()
    await until(() => says(ana!) === 'Carrier called' && says(bo!) === 'Carrier called', { what: 'the news' })
    expect(table.sent).toEqual([])
  })

  it('is guarded by its own rules', async () => {
    const [ana, bo] = await openBoth()
    textOf(ana!.doc).insert(0, 'x'.repeat(MAX_LENGTH))
    await until(() => ana!.closed() !== null, { what: 'the refusal' })
    expect(ana!.rejected()).toEqual({ code: 'updateRejected', path: 'note/text', message: 'longer than 40' })
    expect([ana!.closed(), bo!.closed(), says(bo!)]).toEqual([4409, null, 'Call the carrier'])
  })

  it('is found under its own name alone', async () => {
    const stranger = await openPage(server.url.replace('/note/', '/incident/'), { userId: ANA })
    expect(stranger.closed()).toBe(4404)
  })
})
