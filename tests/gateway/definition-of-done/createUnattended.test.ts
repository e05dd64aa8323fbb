import { pino } from 'pino'
import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { DodItem, WatchedIncident } from '../../../gateway/src/definition-of-done/contract.ts'
import { createUnattended, type Unattended } from '../../../gateway/src/definition-of-done/createUnattended.ts'

let clock: FakeClock
let found: Map<string, DodItem[]>
let reads: number
let readFailure: Error | null
let written: [string, boolean][]
/** What the evaluation looks after now, by incident. */
let watched: Map<string, WatchedIncident>
let unattended: Unattended

const buildItem = (id: string, done: boolean | null = null): DodItem => ({
  id,
  script: "check.status == 'healthy'",
  done,
  checkId: 'c1',
  componentId: null,
  configId: null,
  analysisId: null,
})
const open = (id: string): (() => void) =>
  unattended.attend({ id, items: () => [], onChange: () => () => {}, setDone: async () => {} })

beforeEach(() => {
  clock = new FakeClock()
  found = new Map([['i1', [buildItem('e1')]]])
  reads = 0
  readFailure = null
  written = []
  watched = new Map()
  unattended = createUnattended({
    definitionOfDone: {
      watch: (incident) => {
        watched.set(incident.id, incident)
        return () => {
          if (watched.get(incident.id) === incident) watched.delete(incident.id)
        }
      },
    },
    rows: {
      read: async () => {
        reads += 1
        if (readFailure) throw readFailure
        return new Map(found)
      },
      setDone: async (id, done) => void written.push([id, done]),
    },
    clock,
    logger: pino({ level: 'silent' }),
  })
  return () => unattended.close()
})

describe('[COLLAB-22] incidents that nobody has open', () => {
  it('are looked after while they have items that are not settled', async () => {
    await clock.advance(2_000)
    expect([...watched.keys()]).toEqual(['i1'])
    found = new Map()
    await clock.advance(30_000)
    expect([...watched.keys()]).toEqual([])
  })

  it('get the verdict into the row, once', async () => {
    await clock.advance(2_000)
    const incident = watched.get('i1')
    let changes = 0
    incident?.onChange(() => (changes += 1))
    await incident?.setDone('e1', true)
    expect(written).toEqual([['e1', true]])
    expect(incident?.items()).toEqual([buildItem('e1', true)])
    expect(changes).toBe(1)
  })

  it('follow other items of the same incident', async () => {
    await clock.advance(2_000)
    const incident = watched.get('i1')
    found = new Map([['i1', [buildItem('e1'), buildItem('e2')]]])
    unattended.wake()
    await clock.advance(2_000)
    expect(watched.get('i1')).toBe(incident)
    expect(incident?.items().map(({ id }) => id)).toEqual(['e1', 'e2'])
  })

  it('are left to the document while it is open, and taken back when it is closed', async () => {
    await clock.advance(2_000)
    const own = watched.get('i1')
    const leave = open('i1')
    const leaveToo = open('i1')
    expect(watched.get('i1')).not.toBe(own)
    const document = watched.get('i1')
    await clock.advance(60_000)
    expect(watched.get('i1')).toBe(document)
    leave()
    await clock.advance(30_000)
    expect(watched.get('i1')).toBe(document)
    leaveToo()
    expect(watched.size).toBe(0)
    await clock.advance(2_000)
    expect([...watched.keys()]).toEqual(['i1'])
  })

  it('are a hundred at most, and those that are known stay while the backend is away', async () => {
    found = new Map(Array.from({ length: 150 }, (_, index) => [`i${index}`, [buildItem(`e${index}`)]]))
    await clock.advance(2_000)
    expect(watched.size).toBe(100)
    readFailure = new Error('away')
    await clock.advance(60_000)
    expect(watched.size).toBe(100)
  })

  it('are read every 30 s, and 2 s after the first of many announcements', async () => {
    await clock.advance(2_000)
    expect(reads).toBe(1)
    await clock.advance(29_000)
    expect(reads).toBe(1)
    await clock.advance(1_000)
    expect(reads).toBe(2)
    for (let announcement = 0; announcement < 40; announcement++) {
      unattended.wake()
      await clock.advance(100)
    }
    expect(reads).toBe(4)
    unattended.close()
    expect(clock.pending).toBe(0)
  })
})
