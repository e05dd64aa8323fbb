// What someone who may write an incident can do to the others through its document: nothing (COLLAB-7, COLLAB-24 to COLLAB-26).
import { randomUUID } from 'node:crypto'

import { projectIncident, readIncident, rootOf, toEdgeKey } from '@watchroom/shared/collab'
import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import * as Y from 'yjs'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { type DocumentPage, openPage, type PageOptions } from '#support/documentPage.ts'
import { type DocumentServer, startDocumentServer } from '#support/documentServer.ts'
import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { ANA, BO, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createManyDocuments } from '#support/manyDocuments.ts'
import { until } from '#support/processes.ts'
import { awarenessFrame, syncFrame } from '#support/roomPeer.ts'

const MALLORY = testId('u', 13)
const QUEUE = testId('h', 2)
const EVIDENCE = testId('e', 1)
const NAME = `incident/${INCIDENT}`

let database: TestDatabase
let sql: Client
let server: DocumentServer
let pages: DocumentPage[]

beforeAll(async () => {
  database = await startTestDatabase()
  sql = new Client({ connectionString: database.databaseUrl })
  await sql.connect()
})
afterAll(async () => {
  await sql?.end()
  await database?.stop()
})
beforeEach(async () => {
  pages = []
  server = await startDocumentServer(database)
})
afterEach(async () => {
  for (const page of pages) page.close()
  await server.stop()
  for (const table of ['document', 'document_update', 'document_snapshot', 'document_client', 'document_base'])
    await sql.query(`delete from watchroom.${table}`)
})

async function open(options: PageOptions): Promise<DocumentPage> {
  const page = await openPage(server.url, options)
  pages.push(page)
  return page
}

const countIds = async (): Promise<number> => {
  const { rows } = await sql.query<{ count: string }>(
    'select count(*) from watchroom.document_client join watchroom.document on name = document and document.epoch = document_client.epoch where name = $1',
    [NAME],
  )
  return Number(rows[0]?.count)
}

const title = ({ doc }: DocumentPage): string | undefined => readIncident(doc).hypotheses.get(QUEUE)?.title

/** An update of a made-up page that has the document. */
function madeUp(source: Y.Doc, clientId: number, change: (doc: Y.Doc) => void): Uint8Array {
  const doc = new Y.Doc()
  Y.applyUpdate(doc, Y.encodeStateAsUpdate(source))
  doc.clientID = clientId
  const before = Y.encodeStateVector(doc)
  change(doc)
  return syncFrame(2, Y.encodeStateAsUpdate(doc, before))
}

describe('a flood of made-up client ids', () => {
  it('[COLLAB-25] is bounded by person, and what the others hold is accepted during and after it', async () => {
    const ana = await open({ userId: ANA })
    const bo = await open({ userId: BO })
    const attackers = await Promise.all(Array.from({ length: 8 }, () => open({ userId: MALLORY })))
    // Each under an id of its own, within every limit of size and rate of its connection.
    const frames = Array.from({ length: 400 }, (_, index) =>
      madeUp(ana.doc, 1_000_000 + index, (doc) => rootOf(doc, 'incident').set('severity', index % 2 ? 'low' : 'high')),
    )
    for (const [index, frame] of frames.entries()) attackers[index % attackers.length]?.socket.send(frame)
    for (let letter = 0; letter < 20; letter++) ana.edit.hypothesisTitle(QUEUE).insert(0, 'x')
    await until(() => ana.unacknowledged() === 0, { what: 'the acknowledgement of the honest', maxMs: 15_000 })
    await until(() => attackers.every((page) => page.closed() !== null), {
      what: 'the end of the flood',
      maxMs: 30_000,
    })
    expect(new Set(attackers.map((page) => page.closed()))).toEqual(new Set([4429]))
    expect([ana.closed(), bo.closed()]).toEqual([null, null])
    expect(await countIds()).toBeLessThan(300)

    // Typed while there was no link, sent by a page of another id after the attack.
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(bo.doc))
    bo.close()
    const offline = readIncident(doc).hypotheses.get(QUEUE)?.title ?? ''
    const text = (rootOf(doc, 'hypotheses').get(QUEUE) as Y.Map<unknown>).get('title') as Y.Text
    text.insert(text.length, ' still')
    const back = await open({ userId: BO, doc })
    await until(() => back.unacknowledged() === 0, { what: 'what was typed without a link' })
    await until(() => title(ana) === `${offline} still`, { what: 'it at the others' })
  })

  it('[COLLAB-25] of many in one update is refused, and none of them is kept', async () => {
    const ana = await open({ userId: ANA })
    const mallory = await open({ userId: MALLORY })
    const many = new Y.Doc()
    Y.applyUpdate(many, Y.encodeStateAsUpdate(ana.doc))
    const before = Y.encodeStateVector(many)
    for (let id = 0; id < 1_000; id++) {
      many.clientID = 2_000_000 + id
      rootOf(many, 'incident').set('severity', id % 2 ? 'low' : 'high')
    }
    mallory.socket.send(syncFrame(2, Y.encodeStateAsUpdate(many, before)))
    await until(() => mallory.closed() !== null, { what: 'the end' })
    expect([mallory.closed(), mallory.rejected()?.message]).toEqual([
      4429,
      'Too many of your pages began to change this incident; wait five minutes',
    ])
    expect(await countIds()).toBe(0)
  })

  it('[COLLAB-25] of an earlier version is healed when the document is opened: it continues in another epoch', async () => {
    const ana = await open({ userId: ANA })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await until(() => ana.unacknowledged() === 0, { what: 'the edit' })
    await server.stop()
    const { rows } = await sql.query<{ epoch: string }>('select epoch from watchroom.document where name = $1', [NAME])
    await sql.query(
      `insert into watchroom.document_client (document, epoch, client_id, user_id)
       select $1, $2, id, $3 from generate_series(1, 114000) as id on conflict do nothing`,
      [NAME, rows[0]?.epoch, MALLORY],
    )
    // Behind it stands the same backend, which may hold the edit already.
    server = await startDocumentServer(database, { rows: server.tables.rows })
    const back = await open({ userId: ANA })
    expect(rootOf(back.doc, 'meta').get('epoch')).not.toBe(rows[0]?.epoch)
    expect(readIncident(back.doc).hypotheses.get(QUEUE)?.status).toBe('proven')
    expect(await countIds()).toBe(0)
  })

  it('[COLLAB-11] takes no id under which someone stands already', async () => {
    const ana = await open({ userId: ANA })
    ana.socket.send(awarenessFrame(ana.doc.clientID, 1, { typing: true }))
    const mallory = await open({ userId: MALLORY })
    await until(() => mallory.awareness.length > 0, { what: 'the presence of the other' })
    mallory.socket.send(madeUp(ana.doc, ana.doc.clientID, (doc) => rootOf(doc, 'incident').set('severity', 'low')))
    await until(() => mallory.closed() !== null, { what: 'the end' })
    expect(mallory.closed()).toBe(4409)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await until(() => ana.unacknowledged() === 0, { what: 'the edit of the honest' })
  })
})

describe('questions for what is missing', () => {
  it('[COLLAB-10] are counted apart from changes, and few', async () => {
    const mallory = await open({ userId: MALLORY })
    for (let count = 0; count < 60; count++) mallory.socket.send(syncFrame(0, Y.encodeStateVector(mallory.doc)))
    await until(() => mallory.closed() !== null, { what: 'the end' })
    expect([mallory.closed(), mallory.rejected()?.message]).toEqual([4429, 'Too many questions in a short time'])
  })

  it('[COLLAB-10] are answered by an honest page whatever was deleted in the document before', async () => {
    const writer = await open({ userId: ANA })
    // More deletions than any one change may bring: every page names all of them when it comes.
    for (let part = 0; part < 12; part++) {
      const text = writer.edit.commentBody(
        writer.edit.addComment({ hypothesisId: QUEUE, body: `${part}${'ab'.repeat(900)}` }),
      )
      writer.doc.transact(() => {
        for (let letter = 1; letter < 900; letter++) text.delete(letter, 1)
      })
      await until(() => writer.unacknowledged() === 0 || writer.closed() !== null, { what: 'the acknowledgement' })
      expect(writer.closed()).toBeNull()
    }
    const doc = new Y.Doc()
    Y.applyUpdate(doc, Y.encodeStateAsUpdate(writer.doc))
    expect(Y.decodeUpdate(Y.encodeStateAsUpdate(doc)).ds.clients.get(writer.doc.clientID)?.length).toBeGreaterThan(
      10_000,
    )
    rootOf(doc, 'incident').set('severity', 'low')
    const back = await open({ userId: BO, doc })
    await until(() => back.unacknowledged() === 0 || back.closed() !== null, { what: 'the answer' })
    expect([back.closed(), back.rejected()]).toEqual([null, null])
    await until(() => readIncident(writer.doc).incident.severity === 'low', { what: 'the change at the others' })
  })
})

describe('[COLLAB-7] is refused on the wire, with path and reason, and nobody else notices:', () => {
  const evidence = (overrides: Record<string, unknown>): Record<string, unknown> => ({
    hypothesis_id: QUEUE,
    type: 'check',
    description: 'queue depth',
    config_id: null,
    config_change_id: null,
    config_analysis_id: null,
    component_id: null,
    check_id: null,
    evidence: null,
    properties: null,
    created_by: MALLORY,
    created_at: new Date().toISOString(),
    ...overrides,
  })
  const text = (doc: Y.Doc, root: 'hypotheses' | 'comments', id: string, key: string): Y.Text =>
    (rootOf(doc, root).get(id) as Y.Map<unknown>).get(key) as Y.Text
  const addComment = (doc: Y.Doc, body: string): void => {
    const comment = new Y.Map<unknown>()
    const core = { hypothesis_id: QUEUE, created_by: MALLORY, created_at: new Date().toISOString() }
    comment.set('core', { ...core, external_created_by: null, responder_id: null })
    comment.set('body', new Y.Text(body))
    rootOf(doc, 'comments').set(testId('m', 9), comment)
  }
  const GONE = testId('z', 1)

  const cases: { name: string; change: (doc: Y.Doc) => void; path: string; message: string }[] = [
    {
      name: 'a title that is emptied',
      change: (doc) => text(doc, 'hypotheses', QUEUE, 'title').delete(0, 'Queue is full'.length),
      path: `hypotheses/${QUEUE}/title`,
      message: 'this must not be empty',
    },
    {
      name: 'a comment of blanks',
      change: (doc) => addComment(doc, ' \u200b\n'),
      path: `comments/${testId('m', 9)}`,
      message: 'body: this must not be empty',
    },
    {
      name: 'NUL',
      change: (doc) => text(doc, 'hypotheses', QUEUE, 'title').insert(0, '\0'),
      path: `hypotheses/${QUEUE}/title`,
      message: 'this holds characters that cannot be stored',
    },
    {
      name: 'NUL in a script',
      change: (doc) => rootOf(doc, 'dod').set(`${EVIDENCE}:script`, 'true /* \0 */'),
      path: `dod/${EVIDENCE}:script`,
      message: 'this holds characters that cannot be stored',
    },
    {
      name: 'a child of a solution',
      change: (doc) => {
        const solution = new Y.Map<unknown>()
        solution.set('core', { type: 'solution', created_by: MALLORY, created_at: new Date().toISOString() })
        solution.set('title', new Y.Text('Drain it'))
        solution.set('status', 'possible')
        rootOf(doc, 'hypotheses').set(testId('h', 9), solution)
        rootOf(doc, 'edges').set(toEdgeKey(testId('h', 9), QUEUE), [0, 'V'])
        rootOf(doc, 'edges').set(toEdgeKey(testId('h', 3), testId('h', 9)), [1, 'V'])
      },
      path: `edges/${toEdgeKey(testId('h', 3), testId('h', 9))}`,
      message: 'a solution cannot get children',
    },
    {
      name: '[COLLAB-26] a commander whom nobody knows',
      change: (doc) => rootOf(doc, 'incident').set('commander_id', GONE),
      path: 'incident/commander_id',
      message: 'there is no such person',
    },
    {
      name: '[COLLAB-26] a check that is nowhere',
      change: (doc) => rootOf(doc, 'evidence').set(testId('e', 9), evidence({ check_id: GONE })),
      path: `evidence/${testId('e', 9)}`,
      message: 'there is no such check',
    },
  ]
  it.each(cases)('$name', async ({ change, path, message }) => {
    server.tables.missing.add(GONE)
    const ana = await open({ userId: ANA })
    const mallory = await open({ userId: MALLORY })
    const before = JSON.stringify(projectIncident(ana.doc))
    mallory.doc.transact(() => change(mallory.doc))
    await until(() => mallory.closed() !== null, { what: 'the end' })
    expect(mallory.closed()).toBe(4409)
    expect(mallory.rejected()).toEqual({ code: 'updateRejected', path, message })
    ana.edit.setSeverity('low')
    await until(() => ana.unacknowledged() === 0, { what: 'the edit of the honest' })
    ana.edit.setSeverity('high')
    await until(() => ana.unacknowledged() === 0, { what: 'the edit of the honest' })
    expect(JSON.stringify(projectIncident(ana.doc))).toBe(before)
    expect(ana.closed()).toBeNull()
  })

  it('[COLLAB-26] but what is there is taken, also while the backend cannot say, and in the order it was written', async () => {
    const ana = await open({ userId: ANA })
    ana.edit.setCommander(BO)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await until(() => ana.unacknowledged() === 0, { what: 'the edits' })
    server.tables.readFailure = new Error('away')
    ana.edit.setCommander(MALLORY)
    ana.edit.setSeverity('low')
    await until(() => ana.unacknowledged() === 0, { what: 'the edits without the backend' })
    expect(ana.closed()).toBeNull()
    const bo = await open({ userId: BO })
    expect(readIncident(bo.doc).incident).toMatchObject({ commander_id: MALLORY, severity: 'low' })
    expect(readIncident(bo.doc).hypotheses.get(QUEUE)?.status).toBe('proven')
  })
})

describe('the time of an entry', () => {
  it('[DOC-24] is when the server took it, whatever its author says; what they say is kept', async () => {
    const [ana, mallory] = [await open({ userId: ANA }), await open({ userId: MALLORY })]
    const said = '9999-12-31T23:59:59.000Z'
    const forged = new Y.Map<unknown>()
    const core = { hypothesis_id: null, created_by: MALLORY, created_at: said }
    forged.set('core', { ...core, external_created_by: null, responder_id: null })
    forged.set('body', new Y.Text('last for ever'))
    const forgedId = randomUUID()
    const from = Date.now()
    mallory.doc.transact(() => rootOf(mallory.doc, 'comments').set(forgedId, forged))
    await until(() => mallory.unacknowledged() === 0, { what: 'the first comment' })
    ana.edit.addComment({ hypothesisId: null, body: 'later' })
    await until(() => ana.unacknowledged() === 0, { what: 'the second comment' })
    await until(() => readIncident(mallory.doc).comments.length === 3, { what: 'both at both' })
    for (const { doc } of [ana, mallory, await open({ userId: BO })]) {
      const { comments } = readIncident(doc)
      expect(comments.map(({ body }) => body)).toEqual(['Looking', 'last for ever', 'later'])
      const at = Date.parse(comments[1]?.created_at ?? '')
      expect(at).toBeGreaterThanOrEqual(from)
      expect(at).toBeLessThanOrEqual(Date.now())
      expect((rootOf(doc, 'comments').get(forgedId) as Y.Map<unknown>).get('core')).toMatchObject({ created_at: said })
    }
    await until(() => server.tables.rows.comments.length === 3, { what: 'the rows' })
    const row = server.tables.rows.comments.find(({ id }) => id === forgedId)
    expect(row?.created_at).toBe(readIncident(ana.doc).comments[1]?.created_at)
  })

  it('[DOC-24] is nobody else’s to write', async () => {
    const mallory = await open({ userId: MALLORY })
    rootOf(mallory.doc, 'sync').set(`comments/${testId('m', 1)}`, '9999-12-31T23:59:59.000Z')
    await until(() => mallory.closed() !== null, { what: 'the end' })
    expect(mallory.rejected()).toMatchObject({ path: `sync`, message: 'only the server writes here' })
  })
})

describe('a stock client that kept a document which was replaced', () => {
  it('[COLLAB-19] is told so for good, and its person’s other pages come and go as before', async () => {
    const first = await open({ userId: ANA })
    const kept = first.doc
    first.close()
    await server.stop()
    for (const table of ['document', 'document_update', 'document_snapshot', 'document_client'])
      await sql.query(`delete from watchroom.${table}`)
    server = await startDocumentServer(database)
    const tab = await open({ userId: ANA, query: 'page=7' })
    const codes: (number | null)[] = []
    for (let attempt = 0; attempt < 40; attempt++) {
      const doc = new Y.Doc()
      Y.applyUpdate(doc, Y.encodeStateAsUpdate(kept))
      const stock = await open({ userId: ANA, doc })
      await until(() => stock.closed() !== null, { what: 'the end of the copy' })
      codes.push(stock.closed())
    }
    // Final for a stock client, which stays away; one that comes all the same is not even served.
    expect([...new Set(codes)]).toEqual([4410, 4429])
    tab.edit.setSeverity('low')
    await until(() => tab.unacknowledged() === 0, { what: 'the edit of the other page' })
    const other = await open({ userId: ANA, query: 'page=8' })
    expect(other.closed()).toBeNull()
    expect(readIncident(other.doc).incident.severity).toBe('low')
    expect(readIncident(other.doc).comments).toHaveLength(1)
  })
})

describe('a page that asks to hear that the link is alive', () => {
  it('[COLLAB-2] [COLLAB-27] hears so at once and again and again; a stock client never does', async () => {
    const ours = await open({ userId: ANA, query: 'beat=1' })
    const stock = await open({ userId: BO })
    const beats = ({ own }: DocumentPage): unknown[] => own.filter(({ type }) => type === 'beat')
    await until(() => beats(ours).length >= 2, { what: 'the second beat', maxMs: 15_000 })
    expect(beats(ours)[0]).toEqual({ type: 'beat', value: { everyMs: 2_000 } })
    expect(beats(stock)).toEqual([])
  })
})

describe('someone who goes through all incidents', () => {
  const urlOf = (to: DocumentServer, index: number): string => to.url.replace(INCIDENT, testId('i', 100 + index))

  it('[COLLAB-41] has only so many loaded, and others open theirs', async () => {
    const clock = new FakeClock(Date.now())
    const many = await startDocumentServer(database, { clock, kind: createManyDocuments().kind })
    onTestFinished(() => many.stop())
    const visit = async (index: number, userId: string): Promise<number | null> => {
      const page = await openPage(urlOf(many, index), { userId })
      page.close()
      return page.closed()
    }
    const codes: (number | null)[] = []
    for (let index = 0; index < 70; index++) codes.push(await visit(index, MALLORY))
    expect(codes.filter((code) => code === null)).toHaveLength(60)
    expect(codes.slice(60)).toEqual(Array(10).fill(4503))
    expect(await many.metric('watchroom_documents_open')).toBe(60)
    expect(await visit(90, ANA)).toBeNull()
    // What someone has open costs nothing more.
    expect(await visit(90, MALLORY)).toBeNull()
    // Nobody wrote in them, and nobody comes back.
    await eventually(async () => {
      await clock.advance(1_000)
      expect(await many.metric('watchroom_documents_open')).toBe(0)
    })
  })

  it('[COLLAB-41] opens one with as many pages as they like at once: it is loaded once', async () => {
    let answer = (): void => undefined
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    let asked = 0
    const look = async () => {
      asked += 1
      if (asked === 80) answer()
      await isAnswered
      return { kind: 'all' } as const
    }
    const many = await startDocumentServer(database, {
      kind: createManyDocuments().kind,
      sights: { look, mayEdit: () => true },
    })
    onTestFinished(() => many.stop())
    const opened = await Promise.all(Array.from({ length: 80 }, () => openPage(urlOf(many, 1), { userId: MALLORY })))
    for (const page of opened) page.close()
    expect(opened.map((page) => page.closed())).toEqual(Array(80).fill(null))
  })

  it('[COLLAB-41] takes no place from those who are in one, and gives theirs to whoever comes', async () => {
    const few = await startDocumentServer(database, { maxDocuments: 2, kind: createManyDocuments().kind })
    onTestFinished(() => few.stop())
    const [first, second] = [
      await openPage(urlOf(few, 1), { userId: ANA }),
      await openPage(urlOf(few, 2), { userId: BO }),
    ]
    const refused = await openPage(urlOf(few, 3), { userId: MALLORY })
    expect([first.closed(), second.closed(), refused.closed()]).toEqual([null, null, 4503])
    first.close()
    await eventually(async () => {
      const third = await openPage(urlOf(few, 3), { userId: MALLORY })
      pages.push(third)
      expect(third.closed()).toBeNull()
    })
    expect(second.closed()).toBeNull()
    second.close()
  })
})
