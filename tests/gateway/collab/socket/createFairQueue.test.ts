import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createFairQueue, type FairQueue } from '../../../../gateway/src/collab/socket/createFairQueue.ts'

let clock: FakeClock
/** Time that passed within tasks, where no timer fires. */
let spentMs: number
let turns: FairQueue
let done: string[]

beforeEach(() => {
  clock = new FakeClock()
  spentMs = 0
  turns = createFairQueue({
    clock: {
      now: () => clock.now(),
      monotonic: () => clock.monotonic() + spentMs,
      schedule: (callback, delayMs) => clock.schedule(callback, delayMs),
    },
  })
  done = []
})
afterEach(() => turns.close())

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const add = (person: string, lane: object, name: string, weight = 1): void =>
  turns.add(person, lane, weight, () => done.push(name))
/** A frame that costs so much time. */
const addCostly = (person: string, lane: object, name: string, costMs: number): void =>
  turns.add(person, lane, 1, () => {
    done.push(name)
    spentMs += costMs
  })

describe('[COLLAB-24] frames', () => {
  it('are read at once while nobody sends too much', () => {
    const [a, b] = [{}, {}]
    add('ana', a, 'a1')
    add('bo', b, 'b1')
    add('ana', a, 'a2')
    expect(done).toEqual(['a1', 'b1', 'a2'])
    expect(turns.waiting(a)).toBe(0)
  })

  it('of whoever sends too much wait, in their order; everyone else’s are read at once', async () => {
    const [flood, honest] = [{}, {}]
    for (let frame = 0; frame < 5_000; frame++) add('mallory', flood, 'm')
    expect(done).toHaveLength(4_000)
    expect(turns.waiting(flood)).toBe(1_000)
    add('ana', honest, 'a1')
    expect(done.at(-1)).toBe('a1')
    await clock.advance(250)
    await nextTurn()
    expect(turns.waiting(flood)).toBeLessThan(600)
    expect(turns.waiting(flood)).toBeGreaterThan(400)
    await clock.advance(300)
    await nextTurn()
    await clock.advance(10)
    expect(turns.waiting(flood)).toBe(0)
    expect(done).toHaveLength(5_001)
  })

  it('of one person’s connections take turns: a flood of one does not keep the other waiting behind it', async () => {
    const [flood, other] = [{}, {}]
    for (let frame = 0; frame < 5_000; frame++) add('mallory', flood, 'flood')
    const before = done.length
    add('mallory', other, 'other')
    await clock.advance(5)
    await nextTurn()
    expect(done.slice(before, before + 4)).toContain('other')
  })

  it('that cost much make their person wait as long again, and nobody else', async () => {
    const [costly, honest] = [{}, {}]
    addCostly('mallory', costly, 'm1', 50)
    addCostly('mallory', costly, 'm2', 50)
    expect(done).toEqual(['m1'])
    await nextTurn()
    add('ana', honest, 'a1')
    expect(done).toEqual(['m1', 'a1'])
    await clock.advance(40)
    expect(done).toEqual(['m1', 'a1'])
    await clock.advance(20)
    await nextTurn()
    expect(done).toEqual(['m1', 'a1', 'm2'])
  })

  it('are not read any more after the end', () => {
    turns.close()
    add('ana', {}, 'a1')
    expect(done).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
