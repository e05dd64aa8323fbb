import { randomUUID } from 'node:crypto'

import { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { startEmptyTestDatabase, type TestDatabase } from '#support/database.ts'
import { eventually } from '#support/eventually.ts'
import { until } from '#support/processes.ts'
import { relayDatabase } from '#support/tcpRelay.ts'

import { createDocumentLog, type DocumentLog } from '../../../../gateway/src/collab/log/createDocumentLog.ts'
import { COLLAB_MIGRATIONS } from '../../../../gateway/src/collab/migrations.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { createDatabase, type Database } from '../../../../gateway/src/platform/database/createDatabase.ts'

const EPOCH = randomUUID()
const USER = randomUUID()
const logger = pino({ level: 'silent' })

let database: TestDatabase
let own: Database
let log: DocumentLog
let document: string

beforeAll(async () => {
  database = await startEmptyTestDatabase()
  own = createDatabase({
    databaseUrl: () => database.databaseUrl,
    migrations: COLLAB_MIGRATIONS,
    clock: systemClock,
    logger,
  })
  await until(own.isReady, { what: 'database' })
})

beforeEach(async () => {
  document = `incident/${randomUUID()}`
  log = createDocumentLog({ pool: () => own.pool(), logger })
  await log.start(document, EPOCH, Uint8Array.of(0, 0))
})

afterEach(async () => {
  await log.close()
})

afterAll(async () => {
  await own?.close()
  await database?.stop()
})

function append(sequence: number, newClientIds: number[] = []): Promise<void> {
  const update = Uint8Array.of(sequence)
  return log.append({ document, epoch: EPOCH, sequence, update, userId: USER, newClientIds })
}

/** Transactions that wrote the log, as many as there were commits. */
async function commits(from: number): Promise<number> {
  const { rows } = await database.pool.query(
    'select distinct xmin::text from watchroom.document_update where document = $1 and sequence >= $2',
    [document, from],
  )
  return rows.length
}

describe('the log of a document', () => {
  it('[COLLAB-3] is written in one commit for all who type together, in the order in which they did', async () => {
    const done: number[] = []
    await Promise.all([2, 3, 4].map((sequence) => append(sequence).then(() => done.push(sequence))))
    expect(await commits(2)).toBe(1)
    // And when each is heard in a turn of its own.
    const appended: Promise<unknown>[] = []
    for (const sequence of [5, 6, 7]) {
      appended.push(append(sequence).then(() => done.push(sequence)))
      await new Promise((resolve) => setImmediate(resolve))
    }
    await Promise.all(appended)
    expect(await commits(5)).toBe(1)
    expect(done).toEqual([2, 3, 4, 5, 6, 7])
    expect((await log.load(document))?.updates.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('[COLLAB-11] says with the first update of a client whose it is', async () => {
    await Promise.all([append(2, [11, 12]), append(3)])
    await append(4, [12, 13])
    expect((await log.load(document))?.clients).toEqual(new Map([11, 12, 13].map((id) => [id, USER])))
  })

  it('does not wait for others who use the database', async () => {
    const busy = await Promise.all(Array.from({ length: own.pool().options.max }, () => own.pool().connect()))
    try {
      await append(2)
    } finally {
      for (const client of busy) client.release()
    }
    expect((await log.load(document))?.updates).toHaveLength(2)
  })

  it('goes on over another connection when its own is lost, and when the database moves', async () => {
    await append(2)
    await database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like '%unnest%'
       and pid <> pg_backend_pid()`,
    )
    // What is given before the loss is noticed fails, and nothing of it is in the log.
    await eventually(() => append(3))
    const moved = new Pool({ connectionString: database.databaseUrl })
    vi.spyOn(own, 'pool').mockReturnValue(moved)
    try {
      await append(4)
      expect((await log.load(document))?.updates.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4])
    } finally {
      vi.restoreAllMocks()
      await moved.end()
    }
  })

  it('[COLLAB-3] fails, and does not wait for ever, when the database hangs, and goes on when it answers again', async () => {
    const relay = await relayDatabase(database)
    const relayed = new Pool({ connectionString: relay.url })
    const hung = createDocumentLog({ pool: () => relayed, logger, statementTimeoutMs: 3_000 })
    onTestFinished(async () => {
      relay.setSilent(false)
      await hung.close()
      await relayed.end()
      await relay.close()
    })
    const appendTo = (sequence: number): Promise<void> =>
      hung.append({ document, epoch: EPOCH, sequence, update: Uint8Array.of(1), userId: USER, newClientIds: [] })
    await appendTo(2)
    relay.setSilent(true)
    await expect(appendTo(3)).rejects.toMatchObject({ code: 'COLLAB_LOG_UNAVAILABLE' })
    relay.setSilent(false)
    // The one that hung is written after all: whoever comes back finds out.
    await eventually(async () => expect((await log.load(document))?.updates).toHaveLength(3))
    await appendTo(4)
  })

  it('[COLLAB-3] leaves nothing at the database of what it gave up while others held a lock', async () => {
    const bounded = createDocumentLog({ pool: () => own.pool(), logger, statementTimeoutMs: 4_000 })
    const holder = await database.pool.connect()
    onTestFinished(async () => {
      holder.release(true)
      await bounded.close()
    })
    await holder.query('begin; lock table watchroom.document_update in share mode')
    const update = Uint8Array.of(2)
    await expect(
      bounded.append({ document, epoch: EPOCH, sequence: 2, update, userId: USER, newClientIds: [] }),
    ).rejects.toMatchObject({ code: 'COLLAB_LOG_UNAVAILABLE' })
    await eventually(async () => {
      const { rows } = await database.pool.query(
        `select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rows).toEqual([])
    })
    await holder.query('rollback')
    expect((await log.load(document))?.updates).toHaveLength(1)
  })

  it('[COLLAB-3] refuses a sequence that someone else wrote, and everything once it is closed', async () => {
    await append(2)
    await expect(append(2)).rejects.toMatchObject({ code: 'COLLAB_LOG_CONFLICT' })
    await log.close()
    await expect(append(3)).rejects.toMatchObject({ code: 'COLLAB_LOG_UNAVAILABLE' })
  })
})
