import { type IncidentRows, projectIncident, readIncident, seedIncident } from '@watchroom/shared/collab'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { ANA, BO, buildIncidentRows, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createMemoryDocumentLog, type MemoryDocumentLog } from '#support/memoryDocumentLog.ts'
import { buildRoomPeer, type TestRoomPeer } from '#support/roomPeer.ts'
import { createScriptedTables, type Fate, type ScriptedTables } from '#support/scriptedTables.ts'

import type { EntityRow } from '../../../../gateway/src/collab/documentKind.ts'
import {
  incidentKind,
  toDocumentRows,
  toDocumentTables,
} from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'
import { createRoom, type Room } from '../../../../gateway/src/collab/room/createRoom.ts'
import type { BaseStore } from '../../../../gateway/src/collab/write-back/createBaseStore.ts'
import { createWriteBack, type WriteBack } from '../../../../gateway/src/collab/write-back/createWriteBack.ts'

const NAME = `incident/${INCIDENT}`
const ROOT = testId('h', 1)
const QUEUE = testId('h', 2)
const PRINTER = testId('h', 3)
const EVIDENCE = testId('e', 1)

let clock: FakeClock
let log: MemoryDocumentLog
let room: Room
let tables: ScriptedTables
let writeBack: WriteBack
let base: MemoryBase
let ana: TestRoomPeer
let bo: TestRoomPeer
/** How often the room was opened in this test. */
let openings = 0

interface MemoryBase extends BaseStore {
  readonly rows: Map<string, EntityRow>
  failWith: Error | null
}

function createMemoryBase(): MemoryBase {
  const memory: MemoryBase = {
    rows: new Map(),
    failWith: null,
    load: async () => null,
    save: async (changes) => {
      if (memory.failWith) throw memory.failWith
      for (const { entity, id, row } of changes) {
        if (row === null) memory.rows.delete(`${entity}/${id}`)
        else memory.rows.set(`${entity}/${id}`, row)
      }
    },
  }
  return memory
}

/** Opens the room from what the log holds, as after a start of the gateway. `agreed`: what the base store would give. */
async function open(agreed: IncidentRows): Promise<void> {
  const stored = await log.load(NAME)
  if (!stored) throw new Error('not stored')
  const opened = createRoom({
    name: NAME,
    stored,
    log,
    clock,
    cpuMs: () => 0,
    logger: pino({ level: 'silent' }),
    kind: incidentKind,
    onChange: () => writeBack.noteChange(),
    onFailed: () => {},
  })
  room = opened
  writeBack = createWriteBack(
    {
      name: NAME,
      id: INCIDENT,
      kind: incidentKind,
      room: opened,
      tables: toDocumentTables(tables),
      base,
      clock,
      random: () => 0.5,
      logger: pino({ level: 'silent' }),
    },
    toDocumentRows(agreed),
  )
  // Other ids than before a restart, as a page that is loaded anew has: Yjs takes its own id in someone else's hands for a
  // collision.
  openings += 1
  ana = buildRoomPeer({ userId: ANA, clientId: 10 * openings + 1, isModerator: true })
  bo = buildRoomPeer({ userId: BO, clientId: 10 * openings + 2, isModerator: true })
  ana.connect(opened)
  bo.connect(opened)
  await clock.advance(0)
}

beforeEach(async () => {
  openings = 0
  clock = new FakeClock()
  log = createMemoryDocumentLog()
  base = createMemoryBase()
  const rows = normalized(buildIncidentRows())
  tables = createScriptedTables(rows)
  await log.start(NAME, 'epoch-1', seedIncident(rows, 'epoch-1'))
  await open(rows)
  return () => writeBack.close()
})

/** Moments spelt as the tables module gives them. */
function normalized(rows: IncidentRows): IncidentRows {
  const stamp = <Row extends { created_at: string }>(list: Row[]): Row[] =>
    list.map((row) => ({ ...row, created_at: new Date(row.created_at).toISOString() }))
  return {
    incident: rows.incident,
    hypotheses: stamp(rows.hypotheses),
    evidences: stamp(rows.evidences),
    comments: stamp(rows.comments),
  }
}

const sorted = (rows: IncidentRows): unknown => {
  const byId = <Row extends { id: string }>(list: Row[]): Row[] => list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { ...rows, hypotheses: byId(rows.hypotheses), evidences: byId(rows.evidences), comments: byId(rows.comments) }
}
const expectEqualSides = (): void => expect(sorted(tables.rows)).toEqual(sorted(projectIncident(room.doc)))
const names = (): string[] => tables.sent.map(({ write }) => `${write.kind} ${write.entity} ${write.id.slice(-1)}`)
const saved = (): { sequence: number; problems: { entity: string; id: string; message: string }[] } | undefined =>
  ana.own.flatMap((frame) => (frame.type === 'saved' ? [frame.value] : [])).at(-1)
const fail = (message: string, more: { retryAfterMs?: number } = {}): Fate => ({ kind: 'later', message, ...more })

describe('delays of the second specification', () => {
  it('writes a status after 200 ms of rest', async () => {
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(190)
    expect(tables.sent).toEqual([])
    await clock.advance(20)
    expect(tables.sent.map(({ write }) => write)).toMatchObject([
      { kind: 'update', entity: 'hypotheses', id: QUEUE, row: { status: 'proven' } },
    ])
  })

  it('writes severity and type after 500 ms of rest, together', async () => {
    ana.edit.setSeverity('critical')
    await clock.advance(400)
    ana.edit.setType('cost')
    await clock.advance(490)
    expect(tables.sent).toEqual([])
    await clock.advance(20)
    expect(tables.sent.map(({ write }) => write)).toMatchObject([
      { kind: 'update', entity: 'incidents', row: { severity: 'critical', type: 'cost' } },
    ])
  })

  it('writes a title after 1 s of rest, and steady typing every 1.5 s', async () => {
    const type = (letter: string): void => ana.edit.hypothesisTitle(QUEUE).insert(0, letter)
    type('a')
    await clock.advance(990)
    expect(tables.sent).toEqual([])
    await clock.advance(20)
    expect(tables.sent).toHaveLength(1)
    for (let tenth = 0; tenth < 32; tenth++) {
      type('b')
      await clock.advance(100)
    }
    expect(tables.sent.length).toBe(3)
    await clock.advance(1_100)
    expectEqualSides()
  })

  it('[COLLAB-5] says up to which sequence the rows hold the document, also to those who come later', async () => {
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    const everything = { sequence: room.sequence(), latest: room.sequence(), problems: [] }
    expect(saved()).toEqual(everything)
    bo.send(writeBack.savedFrame())
    expect(bo.own.at(-1)).toEqual({ type: 'saved', value: everything })
    ana.edit.setHypothesisStatus(QUEUE, 'likely')
    await clock.advance(0)
    bo.send(writeBack.savedFrame())
    expect(bo.own.at(-1)).toEqual({ type: 'saved', value: { ...everything, latest: everything.latest + 1 } })
  })
})

describe('a backend in trouble', () => {
  it.each([
    ['503', fail('the backend answered 503')],
    ['a time-out', fail('no answer in time')],
    ['a reset', fail('the answer could not be read')],
  ])('is asked again after %s, later and later, until it takes the row', async (_name, fate) => {
    tables.answer = () => fate
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    expect(tables.sent).toHaveLength(1)
    // Half by chance: 0.375 s, 0.75 s, 1.5 s.
    await clock.advance(345)
    expect(tables.sent).toHaveLength(2)
    await clock.advance(710)
    expect(tables.sent).toHaveLength(2)
    await clock.advance(40)
    expect(tables.sent).toHaveLength(3)
    expect(saved()?.sequence ?? 0).toBeLessThan(room.sequence())
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(1_600)
    expectEqualSides()
    expect(saved()?.sequence).toBe(room.sequence())
    expect(new Set(tables.sent.map(({ write }) => write.key)).size).toBe(1)
  })

  it('is not asked at every keystroke while it is down, and gets the newest text at last', async () => {
    tables.answer = () => fail('down')
    for (let count = 0; count < 100; count++) {
      ana.edit.hypothesisTitle(QUEUE).insert(0, 'x')
      await clock.advance(100)
    }
    expect(tables.sent.length).toBeLessThan(8)
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(20_000)
    expectEqualSides()
  })

  it('rests twice as long as a pass took, and not longer than 5 s', async () => {
    for (const [tookMs, restMs] of [
      [1_000, 2_000],
      [4_000, 5_000],
    ] as const) {
      tables.sent.length = 0
      tables.hold = true
      ana.edit.setHypothesisStatus(QUEUE, 'proven')
      await clock.advance(200)
      expect(tables.sent).toHaveLength(1)
      ana.edit.setHypothesisStatus(QUEUE, 'likely')
      await clock.advance(tookMs)
      tables.hold = false
      tables.release()
      await clock.advance(restMs - 10)
      expect(tables.sent).toHaveLength(1)
      await clock.advance(20)
      expect(tables.sent).toHaveLength(2)
      await clock.advance(10_000)
    }
    expectEqualSides()
  })

  it('does not keep the end of a document waiting for its rest', async () => {
    tables.hold = true
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(200)
    ana.edit.setHypothesisStatus(QUEUE, 'likely')
    await clock.advance(2_000)
    tables.hold = false
    tables.release()
    await clock.advance(0)
    await writeBack.flush()
    expect(tables.rows.hypotheses.find(({ id }) => id === QUEUE)?.status).toBe('likely')
  })

  it('is measured: how many rows wait and since when, and how many it refused', async () => {
    expect(writeBack.unsaved()).toEqual({ rows: 0, since: null, refused: 0 })
    const since = clock.monotonic()
    tables.answer = ({ id }) =>
      id === PRINTER ? { kind: 'refused', message: 'value too long' } : fail('the backend answered 503')
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    ana.edit.setSeverity('critical')
    ana.edit.setHypothesisStatus(PRINTER, 'disproven')
    await clock.advance(20_000)
    expect(writeBack.unsaved()).toEqual({ rows: 2, since, refused: 1 })
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(30_000)
    expect(writeBack.unsaved()).toEqual({ rows: 0, since: null, refused: 1 })
    tables.hold = true
    ana.edit.setSeverity('low')
    await clock.advance(600)
    // Someone goes on while that is on its way.
    const later = clock.monotonic()
    ana.edit.setType('cost')
    tables.hold = false
    tables.release()
    await clock.advance(0)
    expect(writeBack.unsaved()).toEqual({ rows: 1, since: later, refused: 1 })
    ana.edit.setHypothesisStatus(PRINTER, 'likely')
    await clock.advance(10_000)
    expect(writeBack.unsaved()).toEqual({ rows: 0, since: null, refused: 0 })
    expectEqualSides()
  })

  it('waits as long as Retry-After says', async () => {
    tables.answer = () => fail('slow down', { retryAfterMs: 7_000 })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(6_900)
    expect(tables.sent).toHaveLength(1)
    await clock.advance(100)
    expect(tables.sent).toHaveLength(2)
  })

  it('takes a row once though its answer was lost: the repetition meets its own row', async () => {
    tables.answer = () => ({ kind: 'lost' })
    const id = ana.edit.addComment({ hypothesisId: QUEUE, body: 'Found it' })
    await clock.advance(250)
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(1_000)
    expect(tables.sent).toHaveLength(2)
    expect(tables.rows.comments.filter((row) => row.id === id)).toHaveLength(1)
    expectEqualSides()
  })

  it('keeps trying when it is the gateway’s own database that fails behind a written row', async () => {
    base.failWith = new Error('database away')
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    expect(saved()?.sequence ?? 0).toBeLessThan(room.sequence())
    base.failWith = null
    await clock.advance(1_000)
    expect(saved()?.sequence).toBe(room.sequence())
    expectEqualSides()
  })
})

describe('a row that the backend refuses', () => {
  const refuse = (id: string): void => {
    tables.answer = (write) => (write.id === id ? { kind: 'refused', message: 'value too long' } : { kind: 'written' })
  }

  it('[COLLAB-5] becomes a problem of its entity; the others go on', async () => {
    refuse(QUEUE)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    ana.edit.setHypothesisStatus(PRINTER, 'disproven')
    await clock.advance(300)
    expect(saved()).toMatchObject({
      sequence: room.sequence(),
      problems: [{ entity: 'hypotheses', id: QUEUE, message: 'value too long' }],
    })
    expect(tables.rows.hypotheses.find(({ id }) => id === PRINTER)?.status).toBe('disproven')
  })

  it('is not offered again until the wish changes; then the problem is gone', async () => {
    refuse(QUEUE)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    ana.edit.setHypothesisStatus(PRINTER, 'disproven')
    await clock.advance(60_000)
    expect(names().filter((name) => name === 'update hypotheses 2')).toHaveLength(1)
    tables.answer = () => ({ kind: 'written' })
    ana.edit.setHypothesisStatus(QUEUE, 'improbable')
    await clock.advance(300)
    expect(saved()?.problems).toEqual([])
    expectEqualSides()
  })

  it('is no problem any more when the wish is taken back', async () => {
    refuse(QUEUE)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    expect(saved()?.problems).toHaveLength(1)
    ana.edit.setHypothesisStatus(QUEUE, 'likely')
    await clock.advance(1_100)
    expect(saved()?.problems).toEqual([])
  })

  it('is offered again when the row it hung on was accepted', async () => {
    let isParentRefused = true
    const parent = ana.edit.addHypothesis({ title: 'Parent', parentId: ROOT, afterId: null })
    const child = ana.edit.addHypothesis({ title: 'Child', parentId: parent, afterId: null })
    tables.answer = (write) => {
      const isBlocked = write.id === parent || (write.id === child && isParentRefused)
      return isBlocked && isParentRefused ? { kind: 'refused', message: 'no' } : { kind: 'written' }
    }
    await clock.advance(300)
    expect(saved()?.problems).toHaveLength(2)
    isParentRefused = false
    ana.edit.setHypothesisStatus(parent, 'likely')
    await clock.advance(1_000)
    expect(saved()?.problems).toEqual([])
    expectEqualSides()
  })

  it('is offered again when others changed the rows', async () => {
    refuse(QUEUE)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    tables.answer = () => ({ kind: 'written' })
    tables.rows.incident = { ...tables.rows.incident, severity: 'critical' }
    writeBack.wake()
    await clock.advance(1_000)
    expectEqualSides()
    expect(saved()?.problems).toEqual([])
  })
})

describe('order', () => {
  it('writes parents before children and deletes what hangs on a hypothesis before it', async () => {
    const parent = ana.edit.addHypothesis({ title: 'Parent', parentId: ROOT, afterId: null })
    ana.edit.addHypothesis({ title: 'Child', parentId: parent, afterId: null })
    ana.edit.addComment({ hypothesisId: parent, body: 'Hm' })
    await clock.advance(300)
    expect(names()).toEqual(['insert hypotheses 9', 'insert hypotheses a', 'insert comments b'])
    tables.sent.length = 0
    ana.edit.removeHypothesis(QUEUE)
    await clock.advance(300)
    expect(names()).toEqual(['delete comments 1', 'delete evidences 1', 'delete hypotheses 2'])
    expectEqualSides()
  })

  it('[COLLAB-21] leaves what needs a failed row for later, and repeats nothing that was written', async () => {
    ana.edit.setSeverity('critical')
    const parent = ana.edit.addHypothesis({ title: 'Parent', parentId: ROOT, afterId: null })
    const child = ana.edit.addHypothesis({ title: 'Child', parentId: parent, afterId: null })
    ana.edit.addComment({ hypothesisId: child, body: 'Found it' })
    ana.edit.addComment({ hypothesisId: QUEUE, body: 'Or here' })
    tables.answer = ({ id }) => (id === parent ? fail('503') : { kind: 'written' })
    await clock.advance(450)
    expect(names()).toEqual(['update incidents 1', 'insert hypotheses 9', 'insert comments c'])
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(300)
    await clock.advance(300)
    expect(names().slice(3)).toEqual(['insert hypotheses 9', 'insert hypotheses a', 'insert comments b'])
    expectEqualSides()
  })

  it('[COLLAB-21] leaves a hypothesis in the tables until what hangs on it is gone', async () => {
    tables.answer = ({ kind, entity }) =>
      kind === 'delete' && entity === 'comments' ? fail('500') : { kind: 'written' }
    ana.edit.removeHypothesis(QUEUE)
    await clock.advance(300)
    expect(names()).toEqual(['delete comments 1', 'delete evidences 1'])
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(600)
    expect(names().slice(2)).toEqual(['delete comments 1', 'delete hypotheses 2'])
    expectEqualSides()
  })

  it('[COLLAB-21] lets two rows fail for ever while all others go on, and says of which entities it is true', async () => {
    tables.answer = ({ id }) => ([QUEUE, PRINTER].includes(id) ? fail('the backend answered 500') : { kind: 'written' })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    ana.edit.setHypothesisStatus(PRINTER, 'disproven')
    await clock.advance(250)
    for (let count = 0; count < 20; count++) {
      ana.edit.addComment({ hypothesisId: QUEUE, body: `note ${count}` })
      await clock.advance(1_000)
      expect(tables.rows.comments).toHaveLength(2 + count)
    }
    const message = 'the backend answered 500; trying again'
    expect(saved()?.problems).toEqual([
      { entity: 'hypotheses', id: QUEUE, message },
      { entity: 'hypotheses', id: PRINTER, message },
    ])
    expect(saved()?.sequence ?? 0).toBeLessThan(room.sequence())
    // Each tried on its own schedule: 0.5 s, 1 s, 2 s, 4 s, 8 s.
    expect(tables.sent.filter(({ write }) => write.id === QUEUE).length).toBeLessThan(8)
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(61_000)
    expect(saved()).toMatchObject({ sequence: room.sequence(), problems: [] })
    expectEqualSides()
  })

  it('never has two writes of one row on their way', async () => {
    tables.hold = true
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    ana.edit.setHypothesisStatus(QUEUE, 'improbable')
    await clock.advance(5_000)
    expect(tables.sent).toHaveLength(1)
    tables.hold = false
    tables.release()
    // It took 5 s: the backend rests as long.
    await clock.advance(5_100)
    expect(tables.sent).toHaveLength(2)
    expectEqualSides()
  })
})

describe('rows of others', () => {
  it('[COLLAB-14] does not take its own write for news, though a look overlaps with it', async () => {
    tables.hold = true
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    writeBack.wake()
    ana.edit.setHypothesisStatus(QUEUE, 'improbable')
    await clock.advance(300)
    tables.hold = false
    tables.release()
    await clock.advance(2_000)
    expect(readIncident(room.doc).hypotheses.get(QUEUE)?.status).toBe('improbable')
    expectEqualSides()
    expect(log.entries.filter(({ userId }) => userId === null)).toHaveLength(1)
  })

  it('[COLLAB-14] merges a field that others changed while ours was on its way to other fields', async () => {
    tables.answer = () => fail('down')
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(300)
    const row = tables.rows.hypotheses.find(({ id }) => id === QUEUE)
    if (row) row.title = 'Queue is full of ghosts'
    writeBack.wake()
    await clock.advance(300)
    expect(readIncident(bo.doc).hypotheses.get(QUEUE)).toMatchObject({
      title: 'Queue is full of ghosts',
      status: 'proven',
    })
    tables.answer = () => ({ kind: 'written' })
    await clock.advance(10_000)
    expectEqualSides()
  })

  it('brings a row back that others removed while it was being changed here', async () => {
    tables.rows.evidences = []
    tables.rows.comments = []
    tables.rows.hypotheses = tables.rows.hypotheses.filter(({ id }) => id !== QUEUE)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(2_000)
    expect(tables.rows.hypotheses.map(({ id }) => id)).toContain(QUEUE)
    expectEqualSides()
  })

  it('says that the incident itself is gone instead of writing it anew', async () => {
    tables.answer = ({ entity }) => (entity === 'incidents' ? { kind: 'missing' } : { kind: 'written' })
    ana.edit.setSeverity('critical')
    await clock.advance(10_000)
    expect(names()).toEqual(['update incidents 1'])
    expect(saved()?.problems).toEqual([
      { entity: 'incidents', id: INCIDENT, message: 'This incident no longer exists' },
    ])
  })

  it('looks once for a burst of notifications, at most four times a second', async () => {
    await clock.advance(1_000)
    const before = tables.reads()
    for (let count = 0; count < 50; count++) {
      writeBack.wake()
      await clock.advance(10)
    }
    expect(tables.reads() - before).toBeLessThanOrEqual(3)
    await clock.advance(300)
    tables.readFailure = new Error('backend away')
    writeBack.wake()
    await clock.advance(300)
    tables.readFailure = null
    tables.rows.incident = { ...tables.rows.incident, severity: 'critical' }
    await clock.advance(5_600)
    expect(readIncident(room.doc).incident.severity).toBe('critical')
  })
})

describe('an announcement of the database', () => {
  it('[COLLAB-14] of an own write is none of news; the next one is looked into at once', async () => {
    await clock.advance(1_000)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    const before = tables.reads()
    writeBack.hear()
    await clock.advance(400)
    expect(tables.reads()).toBe(before)
    tables.rows.incident = { ...tables.rows.incident, severity: 'critical' }
    writeBack.hear()
    await clock.advance(1)
    expect(tables.reads()).toBe(before + 1)
    expect(readIncident(room.doc).incident.severity).toBe('critical')
  })

  it('[COLLAB-14] is news when the own write was refused, or long ago', async () => {
    await clock.advance(1_000)
    tables.answer = () => ({ kind: 'refused', message: 'no' })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    const before = tables.reads()
    writeBack.hear()
    await clock.advance(1)
    expect(tables.reads()).toBe(before + 1)
    tables.answer = () => ({ kind: 'written' })
    ana.edit.setHypothesisStatus(QUEUE, 'likely')
    await clock.advance(2_300)
    const later = tables.reads()
    writeBack.hear()
    await clock.advance(1)
    expect(tables.reads()).toBe(later + 1)
  })
})

describe('a restart', () => {
  it('between the row and what is agreed on repeats nothing and overwrites nobody', async () => {
    const agreed = normalized(buildIncidentRows())
    const id = ana.edit.addComment({ hypothesisId: QUEUE, body: 'Found it' })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    base.failWith = new Error('killed here')
    await clock.advance(250)
    writeBack.close()
    base = createMemoryBase()
    tables.sent.length = 0
    await open(agreed)
    await clock.advance(2_000)
    expect(tables.sent.filter(({ write }) => write.id === QUEUE)).toEqual([])
    expect(tables.rows.comments.filter((row) => row.id === id)).toHaveLength(1)
    expect(base.rows.get(`hypotheses/${QUEUE}`)).toMatchObject({ status: 'proven' })
    expectEqualSides()
  })

  it('with rows still to be written writes them, in the name of their author', async () => {
    const agreed = normalized(buildIncidentRows())
    tables.answer = () => fail('down')
    bo.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(250)
    writeBack.close()
    tables.answer = () => ({ kind: 'written' })
    await open(agreed)
    await clock.advance(1_000)
    expect(tables.sent.at(-1)).toMatchObject({ actor: BO, write: { id: QUEUE, row: { status: 'proven' } } })
    expectEqualSides()
  })
})

describe('authors', () => {
  const actorsOf = (): Record<string, string | null> =>
    Object.fromEntries(tables.sent.map(({ write, actor }) => [`${write.entity}/${write.id}`, actor]))

  it('[COLLAB-16] are those who made the change, whoever made the row', async () => {
    bo.edit.setHypothesisStatus(QUEUE, 'proven')
    ana.edit.setHypothesisStatus(PRINTER, 'disproven')
    bo.edit.setDefinitionOfDone(EVIDENCE, false)
    const comment = ana.edit.addComment({ hypothesisId: QUEUE, body: 'Found it' })
    ana.edit.setSeverity('critical')
    await clock.advance(1_000)
    expect(actorsOf()).toEqual({
      [`hypotheses/${QUEUE}`]: BO,
      [`hypotheses/${PRINTER}`]: ANA,
      [`evidences/${EVIDENCE}`]: BO,
      [`comments/${comment}`]: ANA,
      [`incidents/${INCIDENT}`]: ANA,
    })
  })

  it('of a status counts before the author of a text in the same row', async () => {
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    bo.edit.hypothesisTitle(QUEUE).insert(0, 'The ')
    await clock.advance(300)
    expect(tables.sent).toMatchObject([{ actor: ANA, write: { row: { status: 'proven' } } }])
  })

  it('of a move and of a removal are named too', async () => {
    bo.edit.moveHypothesis(PRINTER, { parentId: QUEUE, afterId: null })
    await clock.advance(300)
    ana.edit.removeHypothesis(PRINTER)
    await clock.advance(300)
    expect(tables.sent.map(({ write, actor }) => [write.kind, actor])).toEqual([
      ['update', BO],
      ['delete', ANA],
    ])
  })
})

describe('closing', () => {
  it('writes at once what waits and leaves no timer behind', async () => {
    ana.edit.hypothesisTitle(QUEUE).insert(0, 'x')
    await clock.advance(0)
    expect(writeBack.isIdle()).toBe(false)
    await writeBack.flush()
    expectEqualSides()
    writeBack.close()
    await room.close(4503, 'come back')
    expect(clock.pending).toBe(0)
  })
})

describe('rows that this version does not know how to read', () => {
  /** A backend of another version, or another program, wrote them. */
  const openStrange = async (): Promise<IncidentRows> => {
    writeBack.close()
    const rows = normalized(buildIncidentRows())
    const [evidence] = rows.evidences
    const [comment] = rows.comments
    if (!evidence || !comment) throw new Error('no rows')
    const strange: IncidentRows = {
      ...rows,
      incident: { ...rows.incident, type: 'weather', status: 'paused' },
      evidences: [
        evidence,
        { ...evidence, id: testId('e', 2), type: 'crystal_ball' },
        { ...evidence, id: testId('e', 3), description: 'x'.repeat(30_000) },
      ],
    }
    log = createMemoryDocumentLog()
    tables = createScriptedTables(strange)
    await log.start(NAME, 'epoch-1', seedIncident(strange, 'epoch-1'))
    await open(strange)
    return strange
  }

  it('[DOC-20] are neither deleted nor written over', async () => {
    const before = structuredClone(await openStrange())
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(2_000)
    expect(names()).toEqual(['update hypotheses 2'])
    expect(tables.rows.evidences).toEqual(before.evidences)
    expect(tables.rows.incident).toEqual(before.incident)
  })

  it('[DOC-20] go with the hypothesis they hang on', async () => {
    await openStrange()
    ana.edit.removeHypothesis(QUEUE)
    await clock.advance(2_000)
    expect(tables.rows.hypotheses.map(({ id }) => id)).toEqual([ROOT, PRINTER])
    expect(tables.rows.evidences).toEqual([])
  })

  it('[DOC-20] are written again once a person says something that is known', async () => {
    await openStrange()
    ana.edit.setType('cost')
    await clock.advance(2_000)
    expect(tables.rows.incident).toMatchObject({ type: 'cost', status: 'paused' })
  })
})
