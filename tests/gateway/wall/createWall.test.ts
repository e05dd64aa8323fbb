import type { CheckBoardRow } from '@watchroom/shared/health'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { testId } from '#support/incidentDocument.ts'
import { ManualFeed } from '#support/liveWorld.ts'

import type { Wall } from '../../../gateway/src/wall/contract.ts'
import { createWall } from '../../../gateway/src/wall/createWall.ts'

const BOARD = testId('w', 1)
const OTHER = testId('w', 2)

interface BoardRow {
  id: string
  name: string
  filter: unknown
  groupBy: string
}
const row = (id: string, filter: unknown = {}): BoardRow => ({ id, name: id, filter, groupBy: 'no-group' })

let clock: FakeClock
let wall: Wall
/** Reads of the boards that are under way, oldest first. */
let reads: { resolve: (answer: { rows: BoardRow[] }) => void; reject: (error: Error) => void }[]

beforeEach(() => {
  clock = new FakeClock()
  reads = []
  const query = (): Promise<unknown> => new Promise((resolve, reject) => reads.push({ resolve, reject }))
  wall = createWall({
    checks: new ManualFeed<CheckBoardRow>(),
    backend: {
      hasServiceCredential: true,
      request: () => Promise.reject(new Error('not asked')),
      close: async () => {},
    },
    access: { onChange: () => () => undefined },
    sights: { showsAll: () => Promise.resolve(true) },
    pool: () => ({ query }) as unknown as Pool,
    clock,
    logger: pino({ level: 'silent' }),
    createId: () => BOARD,
    createSecret: () => 'secret',
    policy: { admit: () => Promise.reject(new Error('no session')) },
    enterRoute: {},
  })
  return () => wall.close()
})

const isKnown = (id: string): boolean => wall.feed(id).problem() === null

describe('createWall', () => {
  it('keeps what the newest read of the boards said, whichever answer comes last', async () => {
    wall.wake()
    const [older, newer] = reads
    newer?.resolve({ rows: [row(BOARD)] })
    await clock.advance(0)
    expect([isKnown(BOARD), isKnown(OTHER)]).toEqual([true, false])
    older?.resolve({ rows: [row(OTHER)] })
    await clock.advance(0)
    expect([isKnown(BOARD), isKnown(OTHER)]).toEqual([true, false])
  })

  it('leaves out a board that it cannot read, and none beside it', async () => {
    reads[0]?.resolve({ rows: [row(BOARD, { labels: 'all of them' }), row(OTHER)] })
    await clock.advance(0)
    expect([isKnown(BOARD), isKnown(OTHER)]).toEqual([false, true])
  })

  it('reads them again soon while the database is away, then every 15 s, and no more once it is closed', async () => {
    reads[0]?.reject(new Error('away'))
    await clock.advance(1_000)
    expect(reads).toHaveLength(2)
    reads[1]?.resolve({ rows: [] })
    await clock.advance(14_000)
    expect(reads).toHaveLength(2)
    await clock.advance(1_000)
    expect(reads).toHaveLength(3)
    wall.close()
    reads[2]?.resolve({ rows: [] })
    await clock.advance(60_000)
    expect(reads).toHaveLength(3)
    expect(clock.pending).toBe(0)
  })
})
