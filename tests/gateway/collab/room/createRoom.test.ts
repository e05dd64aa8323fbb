import { LIMITS, projectIncident, readIncident, rootOf, seedIncident } from '@watchroom/shared/collab'
import * as decoding from 'lib0/decoding'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { ANA, BO, buildIncidentRows, testId } from '#support/incidentDocument.ts'
import { createMemoryDocumentLog, type MemoryDocumentLog } from '#support/memoryDocumentLog.ts'
import { awarenessFrame, buildRoomPeer, syncFrame, type TestRoomPeer } from '#support/roomPeer.ts'

import { incidentKind } from '../../../../gateway/src/collab/documents/incident/incidentKind.ts'
import { createRoom, type Room } from '../../../../gateway/src/collab/room/createRoom.ts'
import { ROOM_LIMITS } from '../../../../gateway/src/collab/room/roomLimits.ts'

const NAME = 'incident/i1'
const QUEUE = testId('h', 2)

let clock: FakeClock
let log: MemoryDocumentLog
let room: Room
let failures: unknown[]

const settle = (): Promise<void> => clock.advance(0)

async function openRoom(): Promise<Room> {
  await log.start(NAME, 'epoch-1', seedIncident(buildIncidentRows(), 'epoch-1'))
  const stored = await log.load(NAME)
  if (!stored) throw new Error('not stored')
  return createRoom({
    name: NAME,
    stored,
    log,
    clock,
    cpuMs: () => 0,
    logger: pino({ level: 'silent' }),
    kind: incidentKind,
    onChange: () => {},
    onFailed: (error) => failures.push(error),
  })
}

function join(userId: string, clientId: number, options: { canWrite?: boolean } = {}): TestRoomPeer {
  const peer = buildRoomPeer({ userId, clientId, ...options })
  peer.connect(room)
  return peer
}

const title = (doc: Y.Doc): string | undefined => readIncident(doc).hypotheses.get(QUEUE)?.title
const acks = (peer: TestRoomPeer): unknown[] => peer.own.filter(({ type }) => type === 'ack').map(({ value }) => value)

beforeEach(async () => {
  clock = new FakeClock()
  log = createMemoryDocumentLog()
  failures = []
  room = await openRoom()
})

describe('edits', () => {
  it('[COLLAB-3] end the room when the log answers no more and too much waits for it; what was waiting is durable all the same', async () => {
    const ana = join(ANA, 1)
    await settle()
    log.hold = true
    const text = 'x'.repeat(LIMITS.commentLength)
    for (let sent = 0; sent <= ROOM_LIMITS.inFlightBytes + 10 * text.length; sent += 10 * text.length) {
      ana.doc.transact(() => {
        for (let count = 0; count < 10; count++) ana.edit.addComment({ hypothesisId: null, body: text })
      })
      // Slow enough for the bound on updates a second.
      await clock.advance(20)
    }
    expect(failures).toMatchObject([{ code: 'COLLAB_LOG_UNAVAILABLE' }])
    expect(ana.closed?.code).toBe(4503)
    const before = log.entries.length
    log.release()
    await settle()
    expect(log.entries.length).toBeGreaterThan(before)
    expect(acks(ana)).toHaveLength(1)
  })

  it('[COLLAB-3] reach the log before anyone sees them, then everyone, then the acknowledgement', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    await settle()
    log.hold = true
    ana.edit.replaceText(ana.edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    await settle()
    expect(title(bo.doc)).toBe('Queue is full')
    expect(title(room.doc)).toBe('Queue is full')
    const before = acks(ana).length
    log.release()
    await settle()
    expect(title(bo.doc)).toBe('Queue is stuck')
    expect(acks(ana).length).toBe(before + 1)
    expect(acks(ana).at(-1)).toEqual({ received: 2, sequence: 2 })
  })

  it('[COLLAB-4] acknowledge a deletion too, which no state vector shows', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.edit.hypothesisTitle(QUEUE).delete(0, 5)
    await settle()
    expect(acks(ana).at(-1)).toEqual({ received: 2, sequence: 2 })
    expect(title(room.doc)).toBe(' is full')
  })

  it('[COLLAB-4] acknowledge a repeated frame without logging it twice', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    const logged = log.entries.length
    ana.sendRaw(syncFrame(2, Y.encodeStateAsUpdate(ana.doc)))
    await settle()
    expect(log.entries.length).toBe(logged)
    expect(acks(ana).at(-1)).toEqual({ received: 3, sequence: 2 })
  })

  it('[COLLAB-3] end the room when the log refuses: nothing is applied, writers come back, and what they hold merges then', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    await settle()
    log.failWith = new Error('disk full')
    ana.edit.replaceText(ana.edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    await settle()
    expect(failures).toHaveLength(1)
    expect([ana.closed?.code, bo.closed?.code]).toEqual([4503, 4503])
    log.failWith = null
    room = await openRoom()
    ana.connect(room)
    bo.connect(room)
    await settle()
    expect(title(bo.doc)).toBe('Queue is stuck')
  })

  it('[COLLAB-15] take the letters typed while the connection comes up, though what they build on comes behind them', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.disconnect()
    const text = ana.edit.hypothesisTitle(QUEUE)
    text.insert(0, 'offline ')
    const missing = Y.encodeStateAsUpdate(ana.doc, Y.encodeStateVector(room.doc))
    const answers: Uint8Array[] = []
    ana.doc.once('update', (update: Uint8Array) => answers.push(update))
    text.insert(0, 'new ')
    const back = buildRoomPeer({ userId: ANA, clientId: 99 })
    room.join(back)
    room.receive(back, syncFrame(2, answers[0] ?? new Uint8Array()))
    await settle()
    expect([back.closed, acks(back)]).toEqual([null, []])
    room.receive(back, syncFrame(1, missing))
    await settle()
    expect(back.closed).toBeNull()
    expect(acks(back).at(-1)).toMatchObject({ received: 2 })
    expect(title(room.doc)).toBe('new offline Queue is full')
  })

  it('merge what was edited offline by two people', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    await settle()
    ana.disconnect()
    ana.edit.replaceText(ana.edit.hypothesisTitle(QUEUE), 'The queue is full')
    bo.edit.replaceText(bo.edit.hypothesisTitle(QUEUE), 'Queue is full again')
    await settle()
    ana.connect(room)
    await settle()
    expect(title(ana.doc)).toBe('The queue is full again')
    expect(projectIncident(bo.doc)).toEqual(projectIncident(ana.doc))
  })
})

describe('what is refused', () => {
  it('[COLLAB-8] leaves a viewer reading: the edit is answered, nobody sees it, the connection stays', async () => {
    const viewer = join(BO, 2, { canWrite: false })
    const ana = join(ANA, 1)
    await settle()
    viewer.edit.setHypothesisStatus(QUEUE, 'disproven')
    await settle()
    expect(viewer.own.at(-1)).toMatchObject({ type: 'rejected', value: { code: 'readOnly' } })
    expect(viewer.closed).toBeNull()
    expect(readIncident(ana.doc).hypotheses.get(QUEUE)?.status).toBe('likely')
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    expect(readIncident(room.doc).hypotheses.get(QUEUE)?.status).toBe('proven')
  })

  it('[COLLAB-7] sends a reader away who writes on and on, but not one who did so now and then', async () => {
    const patient = join(BO, 2, { canWrite: false })
    const stubborn = join(testId('u', 3), 3, { canWrite: false })
    await settle()
    const write = (peer: TestRoomPeer): void => void rootOf(peer.doc, 'incident').set('severity', 'critical')
    for (let count = 0; count < 15; count++) {
      write(patient)
      await clock.advance(10_000)
    }
    expect(patient.closed).toBeNull()
    for (let count = 0; count < 11; count++) {
      write(stubborn)
      await clock.advance(1_000)
    }
    expect(stubborn.closed?.code).toBe(4429)
  })

  it('[COLLAB-8] makes a connection read-only when the role is lowered, and writable again', async () => {
    const ana = join(ANA, 1)
    await settle()
    room.changeRole(ana, { canWrite: false, isModerator: false })
    expect(ana.own.at(-1)).toEqual({ type: 'role', value: { canWrite: false } })
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    expect(readIncident(room.doc).hypotheses.get(QUEUE)?.status).toBe('likely')
    room.changeRole(ana, { canWrite: true, isModerator: false })
    ana.edit.setHypothesisStatus(QUEUE, 'improbable')
    await settle()
    expect(ana.closed?.code).toBe(4409)
  })

  it('[COLLAB-7] ends the one connection with 4409, keeps the document and lets the others go on', async () => {
    const mallory = join(BO, 2)
    const ana = join(ANA, 1)
    await settle()
    rootOf(mallory.doc, 'meta').set('schema', 99)
    await settle()
    expect(mallory.own.at(-1)).toMatchObject({ type: 'rejected', value: { code: 'updateRejected', path: 'meta' } })
    expect(mallory.closed?.code).toBe(4409)
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    expect(rootOf(room.doc, 'meta').get('schema')).toBe(1)
    expect(readIncident(room.doc).hypotheses.get(QUEUE)?.status).toBe('proven')
  })

  it('[COLLAB-11] refuses structs under the client id of another person, also after a restart', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    room = await openRoom()
    const mallory = join(BO, 2)
    await settle()
    mallory.doc.clientID = 1
    mallory.edit.setHypothesisStatus(QUEUE, 'disproven')
    await settle()
    expect(mallory.closed?.code).toBe(4409)
  })

  it('[COLLAB-15] does not keep more early updates than one frame may hold', async () => {
    const peer = buildRoomPeer({ userId: BO, clientId: 2 })
    room.join(peer)
    const large = syncFrame(2, new Uint8Array(100 * 1024))
    for (let count = 0; count < 2; count++) room.receive(peer, large)
    expect(peer.closed).toBeNull()
    room.receive(peer, large)
    expect(peer.closed?.code).toBe(4413)
  })

  it('[COLLAB-10] refuses a struct bomb, an oversized frame and a flood', async () => {
    const bomber = join(BO, 2)
    await settle()
    const text = bomber.edit.hypothesisTitle(QUEUE)
    bomber.doc.transact(() => {
      for (let index = 0; index < 3000; index++) text.insert(index % 2 === 0 ? 0 : text.length, 'x')
    })
    await settle()
    expect(bomber.closed?.code).toBe(4413)

    const giant = join(BO, 3)
    giant.sendRaw(new Uint8Array(ROOM_LIMITS.frameBytes + 1))
    expect(giant.closed?.code).toBe(4413)

    const flood = join(BO, 4)
    const nothing = syncFrame(2, Y.encodeStateAsUpdate(new Y.Doc()))
    for (let index = 0; index <= ROOM_LIMITS.updates.burst; index++) flood.sendRaw(nothing)
    expect(flood.closed?.code).toBe(4429)
  })

  it('closes a peer that sends garbage and no other', async () => {
    const ana = join(ANA, 1)
    for (const frame of [
      new Uint8Array(),
      Uint8Array.of(0),
      Uint8Array.of(0, 2, 200),
      Uint8Array.of(9, 9),
      Uint8Array.of(1, 5, 1),
    ]) {
      const peer = join(BO, 2)
      peer.sendRaw(frame)
      expect(peer.closed?.code, frame.join()).toBe(4400)
    }
    expect(ana.closed).toBeNull()
  })

  it('[COLLAB-12] cuts a reader that does not read and serves the others', async () => {
    const slow = join(BO, 2)
    const ana = join(ANA, 1)
    const other = join(testId('u', 3), 3)
    await settle()
    slow.buffered = 2 * ROOM_LIMITS.bufferedBytes
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    expect(slow.closed?.code).toBe(4508)
    expect(readIncident(other.doc).hypotheses.get(QUEUE)?.status).toBe('proven')
  })

  it('[COLLAB-12] lets whoever opens a large document read it first', async () => {
    const ana = join(ANA, 1)
    await settle()
    for (let index = 0; index < 100; index++) {
      ana.edit.addComment({ hypothesisId: QUEUE, body: 'x'.repeat(10_000) })
      await clock.advance(20)
    }
    const bo = join(BO, 2)
    await settle()
    bo.buffered = 2_000_000
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    expect(bo.closed).toBeNull()
    bo.buffered = 3_000_000
    ana.edit.setHypothesisStatus(QUEUE, 'likely')
    await settle()
    expect(bo.closed?.code).toBe(4508)
  })

  it('[COLLAB-10] answers no more questions than it takes changes', async () => {
    const ana = join(ANA, 1)
    await settle()
    for (let index = 0; index < 200; index++) ana.sendRaw(syncFrame(0, Uint8Array.of(0)))
    expect(ana.closed?.code).toBe(4429)
  })
})

describe('the server as a writer', () => {
  it('changes nothing when what it was to do fails halfway, and goes on', async () => {
    const ana = join(ANA, 1)
    await settle()
    const failing = room.writeAsServer((doc) => {
      rootOf(doc, 'incident').set('severity', 'critical')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await room.writeAsServer((doc) => rootOf(doc, 'incident').set('type', 'cost'))
    await settle()
    expect(readIncident(room.doc).incident).toMatchObject({ severity: 'high', type: 'cost' })
    expect(projectIncident(ana.doc)).toEqual(projectIncident(room.doc))
  })

  it('[COLLAB-14] adds a row of others behind what is on its way to the log', async () => {
    const ana = join(ANA, 1)
    await settle()
    log.hold = true
    ana.edit.replaceText(ana.edit.hypothesisTitle(QUEUE), 'Queue is stuck')
    const written = room.writeAsServer((doc) => rootOf(doc, 'incident').set('severity', 'critical'))
    log.release()
    log.hold = false
    await settle()
    log.release()
    await written
    expect(readIncident(ana.doc).incident.severity).toBe('critical')
    expect(title(room.doc)).toBe('Queue is stuck')
    const logged = log.entries.length
    await room.writeAsServer((doc) => rootOf(doc, 'incident').get('severity'))
    expect(log.entries.length).toBe(logged)
  })
})

describe('snapshots', () => {
  it('are written when the document rests, and a room opened from one has the same content', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await clock.advance(3_100)
    await eventually(() => expect(log.snapshots.map(({ upTo }) => upTo)).toEqual([2]))
    const again = await openRoom()
    expect(projectIncident(again.doc)).toEqual(projectIncident(room.doc))
  })

  it('are written at the latest after 15 s of steady typing', async () => {
    const ana = join(ANA, 1)
    await settle()
    for (let second = 0; second < 16; second++) {
      ana.edit.hypothesisTitle(QUEUE).insert(0, 'x')
      await clock.advance(1_000)
    }
    await eventually(() => expect(log.snapshots.length).toBeGreaterThan(0))
  })

  it('are taken at most every 5 s while many type, and the last letter gets into one', async () => {
    const ana = join(ANA, 1)
    await settle()
    // Fifty letters a second, more than a snapshot holds in five.
    for (let letter = 0; letter < 600; letter++) {
      ana.edit.incidentText('description').insert(0, 'x')
      await clock.advance(20)
    }
    await eventually(() => expect(log.snapshots.map(({ upTo }) => upTo)).toHaveLength(2))
    await clock.advance(5_000)
    await eventually(() => expect(log.snapshots.at(-1)?.upTo).toBe(601))
  })

  it('are not written when they would say something else than the document', async () => {
    const { evidences } = buildIncidentRows()
    const hidden = JSON.stringify(rootOf(room.doc, 'evidence').get(testId('e', 1)))
    await room.writeAsServer((doc) => {
      rootOf(doc, 'evidence').set(testId('e', 9), JSON.parse(`{"__proto__": ${hidden}}`))
    })
    expect(projectIncident(room.doc).evidences).toHaveLength(evidences.length + 1)
    await room.saveSnapshot()
    expect(log.snapshots).toEqual([])
  })

  it('leave no timer behind when the room closes', async () => {
    const ana = join(ANA, 1)
    await settle()
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    await room.close(4503, 'come back')
    expect(ana.closed?.code).toBe(4503)
    expect(clock.pending).toBe(0)
    expect(log.snapshots.at(-1)?.upTo).toBe(2)
  })
})

describe('presence', () => {
  const states = (peer: TestRoomPeer): [number, unknown][] =>
    peer.awareness.flatMap((message) => {
      const decoder = decoding.createDecoder(message)
      return Array.from({ length: decoding.readVarUint(decoder) }, (): [number, unknown] => {
        const id = decoding.readVarUint(decoder)
        decoding.readVarUint(decoder)
        return [id, JSON.parse(decoding.readVarString(decoder))]
      })
    })

  it('[COLLAB-9] is stamped with the session and stripped of what is not known', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    ana.sendRaw(awarenessFrame(1, 1, { viewing: { entity: QUEUE }, user: { id: BO, name: 'Bo' }, admin: true }))
    await clock.advance(150)
    expect(states(bo)).toEqual([[1, { viewing: { entity: QUEUE }, user: ana.user, canWrite: true }]])
  })

  it('[COLLAB-9] ignores entries about others', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    ana.sendRaw(awarenessFrame(1, 1, { typing: true }))
    bo.sendRaw(awarenessFrame(2, 1, { typing: false }))
    await clock.advance(150)
    bo.sendRaw(awarenessFrame(1, 9, null))
    await clock.advance(150)
    expect(states(ana).filter(([id]) => id === 1)).toEqual([[1, { typing: true, user: ana.user, canWrite: true }]])
  })

  it('[COLLAB-9] keeps the place of someone who is away for a moment for that person, and leaves no ghost behind', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    ana.sendRaw(awarenessFrame(1, 5, { typing: true }))
    await clock.advance(150)
    ana.disconnect()
    // A lower clock: the state would have stayed for ever under a connection that never said a word more.
    bo.sendRaw(awarenessFrame(1, 1, { typing: false }))
    bo.sendRaw(awarenessFrame(1, 9, { typing: false }))
    await clock.advance(3_200)
    expect(states(bo)).toEqual([
      [1, { typing: true, user: ana.user, canWrite: true }],
      [1, null],
    ])
    bo.sendRaw(awarenessFrame(2, 1, { typing: false }))
    await clock.advance(150)
    expect(states(bo).at(-1)).toEqual([2, { typing: false, user: bo.user, canWrite: true }])
  })

  it('[COLLAB-9] lets nobody stand under an id that someone else writes under', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    await settle()
    ana.edit.setHypothesisStatus(QUEUE, 'proven')
    await settle()
    bo.sendRaw(awarenessFrame(1, 1, { typing: true }))
    await clock.advance(150)
    expect(states(ana)).toEqual([])
    ana.sendRaw(awarenessFrame(1, 1, { typing: true }))
    await clock.advance(150)
    expect(states(bo)).toEqual([[1, { typing: true, user: ana.user, canWrite: true }]])
  })

  it('lets a reload pass unnoticed and tells of a real leave after the grace', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    ana.sendRaw(awarenessFrame(1, 1, { typing: true }))
    await clock.advance(150)
    ana.disconnect()
    await clock.advance(2_000)
    expect(states(bo)).toHaveLength(1)
    await clock.advance(1_200)
    expect(states(bo).at(-1)).toEqual([1, null])
  })

  it('[COLLAB-9] honors a goodbye under the clock of the last word, as stock clients say it, and no echo', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    ana.sendRaw(awarenessFrame(1, 3, { typing: true }))
    await clock.advance(150)
    ana.sendRaw(awarenessFrame(1, 3, { typing: false }))
    await clock.advance(150)
    expect(states(bo).at(-1)).toEqual([1, expect.objectContaining({ typing: true })])
    ana.sendRaw(awarenessFrame(1, 3, null))
    await clock.advance(150)
    expect(states(bo).at(-1)).toEqual([1, null])
  })

  it('[COLLAB-10] sends at most ten times a second however often a caret moves', async () => {
    const ana = join(ANA, 1)
    const bo = join(BO, 2)
    for (let move = 1; move <= 50; move++) {
      ana.sendRaw(awarenessFrame(1, move, { viewing: { entity: `e${move}` } }))
      await clock.advance(20)
    }
    await clock.advance(200)
    expect(bo.awareness.length).toBeLessThanOrEqual(12)
    expect(states(bo).at(-1)).toMatchObject([1, { viewing: { entity: 'e50' } }])
  })
})
