// Several people edit one incident through the real room, guard, log and write-back; some are offline for a time, frames come
// twice, the backend fails and loses answers, and others change its rows. In the end everything agrees.
import { type IncidentRows, projectIncident, readIncident, seedIncident } from '@watchroom/shared/collab'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { editSomething, pick, type Random, retitle } from '#support/editSomething.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { howMany } from '#support/howMany.ts'
import { buildIncidentRows, INCIDENT, testId } from '#support/incidentDocument.ts'
import { createMemoryDocumentLog } from '#support/memoryDocumentLog.ts'
import { createRandom } from '#support/random.ts'
import { buildRoomPeer, syncFrame, type TestRoomPeer } from '#support/roomPeer.ts'
import { createScriptedTables, type Fate, type ScriptedTables } from '#support/scriptedTables.ts'

import {
  incidentKind,
  toDocumentRows,
  toDocumentTables,
} from '../../gateway/src/collab/documents/incident/incidentKind.ts'
import { createRoom, type Room } from '../../gateway/src/collab/room/createRoom.ts'
import { createWriteBack, type WriteBack } from '../../gateway/src/collab/write-back/createWriteBack.ts'

const SEEDS = howMany('WATCHROOM_FUZZ_SEEDS', { short: 180, long: 2_000 })
const FIRST_SEED = Number(process.env.WATCHROOM_FUZZ_START ?? 1)
const OPERATIONS = 30
/** What Yjs leaves of a surrogate pair that was cut in two, and what JSON makes of a half. */
const BROKEN = /\ufffd|\\ud[89a-f]/i
const NAME = `incident/${INCIDENT}`
/** Longer than any retry of the write-back after the few failures of a run. */
const CALM_MS = 120_000

interface World {
  readonly clock: FakeClock
  readonly room: Room
  readonly tables: ScriptedTables
  readonly writeBack: WriteBack
  readonly peers: TestRoomPeer[]
  readonly log: string[]
}

async function createWorld(random: Random): Promise<World> {
  const clock = new FakeClock()
  const documentLog = createMemoryDocumentLog()
  const rows = buildIncidentRows()
  for (const list of [rows.hypotheses, rows.evidences, rows.comments]) {
    for (const row of list) row.created_at = new Date(row.created_at).toISOString()
  }
  const tables = createScriptedTables(rows)
  await documentLog.start(NAME, 'epoch-1', seedIncident(rows, 'epoch-1'))
  const stored = await documentLog.load(NAME)
  if (!stored) throw new Error('not stored')
  const logger = pino({ level: 'silent' })
  let writeBack: WriteBack | null = null
  const room = createRoom({
    name: NAME,
    stored,
    log: documentLog,
    clock,
    cpuMs: () => 0,
    logger,
    kind: incidentKind,
    onChange: () => writeBack?.noteChange(),
    onFailed: () => {},
  })
  const base = { load: async () => null, save: async () => {} }
  writeBack = createWriteBack(
    {
      name: NAME,
      id: INCIDENT,
      kind: incidentKind,
      room,
      tables: toDocumentTables(tables),
      base,
      clock,
      random,
      logger,
    },
    toDocumentRows(rows),
  )
  const peers = Array.from({ length: 2 + Math.floor(random() * 7) }, (_, index) => {
    const peer = buildRoomPeer({ userId: testId('u', index + 1), clientId: 10 + index, isModerator: true, random })
    peer.connect(room)
    return peer
  })
  await clock.advance(0)
  return { clock, room, tables, writeBack, peers, log: [] }
}

/** What the backend does with a write while it is not well. */
function chooseFate(random: Random): Fate {
  const dice = random()
  if (dice < 0.7) return { kind: 'written' }
  if (dice < 0.85) return { kind: 'later', message: 'the backend answered 503' }
  return { kind: 'lost' }
}

/** Someone changes a row through the backend's API. */
function changeRows({ tables, writeBack }: World, random: Random): string {
  const { rows } = tables
  const hypothesis = pick(random, rows.hypotheses)
  const dice = random()
  if (dice < 0.4) rows.incident.severity = pick(random, ['low', 'high', 'critical']) ?? 'low'
  else if (dice < 0.7 && hypothesis) hypothesis.title = retitle(hypothesis.title, random)
  else if (hypothesis) hypothesis.status = 'unlikely'
  if (random() < 0.5) writeBack.hear()
  return 'rows changed by others'
}

async function runSeed(seed: number): Promise<World> {
  const random = createRandom(seed)
  const world = await createWorld(random)
  const { clock, room, tables, writeBack, peers, log } = world
  tables.answer = () => chooseFate(random)
  const offline = new Set<TestRoomPeer>()
  for (let operation = 0; operation < OPERATIONS; operation++) {
    const peer = pick(random, peers)
    if (!peer) continue
    const dice = random()
    if (dice < 0.08 && !offline.has(peer)) {
      peer.disconnect()
      offline.add(peer)
      log.push(`${peer.socketId} goes offline`)
    } else if (dice < 0.2 && offline.has(peer)) {
      offline.delete(peer)
      peer.connect(room)
      log.push(`${peer.socketId} comes back`)
    } else if (dice < 0.25 && !offline.has(peer)) {
      peer.sendRaw(syncFrame(2, Y.encodeStateAsUpdate(peer.doc)))
      log.push(`${peer.socketId} repeats everything`)
    } else if (dice < 0.3) log.push(changeRows(world, random))
    else log.push(`${peer.socketId}: ${editSomething(peer, random)}`)
    if (random() < 0.5) await clock.advance(Math.floor(random() * 600))
  }
  tables.answer = () => ({ kind: 'written' })
  for (const peer of offline) peer.connect(room)
  for (let waitedMs = 0; waitedMs < CALM_MS; waitedMs += 1_000) {
    await clock.advance(1_000)
    // Idle also after the next look at the rows, which may bring news.
    if (writeBack.isIdle() && waitedMs > 7_000) break
  }
  writeBack.close()
  await room.close(4503, 'come back')
  return world
}

const sorted = (rows: IncidentRows): unknown => {
  const byId = <Row extends { id: string }>(list: readonly Row[]): Row[] =>
    list.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return { ...rows, hypotheses: byId(rows.hypotheses), evidences: byId(rows.evidences), comments: byId(rows.comments) }
}

describe(`incidents and their rows, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, () => {
  it('[COLLAB-5] [COLLAB-14] agree once the outbox is empty, at every peer and in the tables, and nobody was refused', async () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const { tables, peers, log } = await runSeed(seed)
      const story = `seed ${seed}\n${log.join('\n')}`
      const [first, ...others] = peers.map(({ doc }) => projectIncident(doc))
      for (const other of others) expect(other, story).toEqual(first)
      expect(first && sorted(tables.rows), story).toEqual(first && sorted(first))
      const refusals = peers.flatMap(({ own }) => own.filter(({ type }) => type === 'rejected'))
      expect(refusals, story).toEqual([])
      const ids = tables.rows.comments.map(({ id }) => id)
      expect(new Set(ids).size, story).toBe(ids.length)
      for (const { doc } of peers) expect(readIncident(doc).hypotheses.size, story).toBeGreaterThan(0)
      expect(JSON.stringify(first), `[DOC-21] ${story}`).not.toMatch(BROKEN)
    }
  }, 600_000)
})
