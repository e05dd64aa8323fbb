import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  type CallSlot,
  type CallSlots,
  type CallSlotSettings,
  createCallSlots,
} from '../../../gateway/src/platform/createCallSlots.ts'

const SETTINGS: CallSlotSettings = {
  total: 3,
  perCaller: 2,
  waitingPerCaller: 2,
  waitingTotal: 3,
  maxWaitMs: 1_000,
}
const here = new AbortController().signal

function open(): { clock: FakeClock; slots: CallSlots } {
  const clock = new FakeClock()
  return { clock, slots: createCallSlots(clock, SETTINGS) }
}

async function enter(slots: CallSlots, caller: string): Promise<() => void> {
  const slot = await slots.enter(caller, here)
  if (slot.kind !== 'entered') throw new Error(slot.kind)
  return slot.leave
}

/** What became of a call that may still wait. */
async function stateOf(slot: Promise<CallSlot>): Promise<CallSlot['kind'] | 'waits'> {
  return Promise.race([slot.then(({ kind }) => kind), Promise.resolve().then(() => Promise.resolve('waits' as const))])
}

describe('createCallSlots', () => {
  it('lets nobody take all of them', async () => {
    const { slots } = open()
    await enter(slots, 'greedy')
    await enter(slots, 'greedy')
    const third = slots.enter('greedy', here)
    expect(await stateOf(third)).toBe('waits')
    expect(await stateOf(slots.enter('other', here))).toBe('entered')
  })

  it('lets who waits in as soon as there is room, the one with least under way first', async () => {
    const { slots } = open()
    const leave = await enter(slots, 'greedy')
    await enter(slots, 'greedy')
    await enter(slots, 'other')
    const again = slots.enter('greedy', here)
    const fresh = slots.enter('fresh', here)
    leave()
    expect(await stateOf(fresh)).toBe('entered')
    expect(await stateOf(again)).toBe('waits')
  })

  it('counts a call that left once', async () => {
    const { slots } = open()
    const leave = await enter(slots, 'a')
    leave()
    leave()
    await enter(slots, 'a')
    await enter(slots, 'a')
    expect(await stateOf(slots.enter('a', here))).toBe('waits')
  })

  it('says whose fault it is when waiting was in vain', async () => {
    const { clock, slots } = open()
    await enter(slots, 'a')
    await enter(slots, 'a')
    const own = slots.enter('a', here)
    await enter(slots, 'b')
    const foreign = slots.enter('c', here)
    await clock.advance(SETTINGS.maxWaitMs)
    expect([await own, await foreign]).toEqual([{ kind: 'caller-busy' }, { kind: 'all-busy' }])
    expect(clock.pending).toBe(0)
  })

  it('lets a few wait and refuses the rest at once', async () => {
    const { slots } = open()
    await enter(slots, 'a')
    await enter(slots, 'a')
    const waiting = [slots.enter('a', here), slots.enter('a', here)]
    expect(await stateOf(slots.enter('a', here))).toBe('caller-busy')
    expect(await Promise.all(waiting.map((slot) => stateOf(slot)))).toEqual(['waits', 'waits'])
  })

  it('forgets who has gone', async () => {
    const { clock, slots } = open()
    const leave = await enter(slots, 'a')
    await enter(slots, 'a')
    const abort = new AbortController()
    const gone = slots.enter('a', abort.signal)
    abort.abort()
    expect(await gone).toEqual({ kind: 'gone' })
    expect(clock.pending).toBe(0)
    leave()
    expect(await stateOf(slots.enter('a', here))).toBe('entered')
    expect(await slots.enter('a', abort.signal)).toEqual({ kind: 'gone' })
  })

  it('counts each caller for itself, whatever they are called, and any number of them without a total', async () => {
    const slots = createCallSlots(new FakeClock(), { perCaller: 1, waitingPerCaller: 0, maxWaitMs: 1_000 })
    const callers = ['__proto__', 'constructor', ...Array.from({ length: 100 }, (_, index) => `c${index}`)]
    for (const caller of callers) await enter(slots, caller)
    for (const caller of callers) expect(await stateOf(slots.enter(caller, here))).toBe('caller-busy')
  })

  describe('with a budget', () => {
    const openWithBudget = () => {
      const clock = new FakeClock()
      return { clock, slots: createCallSlots(clock, { ...SETTINGS, budget: { burst: 100, perSecond: 200 } }) }
    }

    it('lets whoever has used it up wait until it has filled again, though nothing is under way', async () => {
      const { clock, slots } = openWithBudget()
      const leave = await enter(slots, 'a')
      slots.charge('a', 200)
      leave()
      const next = slots.enter('a', here)
      expect(await stateOf(next)).toBe('waits')
      expect(await stateOf(slots.enter('b', here))).toBe('entered')
      await clock.advance(500)
      expect(await stateOf(next)).toBe('waits')
      await clock.advance(10)
      expect(await stateOf(next)).toBe('entered')
    })

    it('says that it was theirs when that takes longer than anyone waits', async () => {
      const { clock, slots } = openWithBudget()
      slots.charge('a', 1_000)
      const next = slots.enter('a', here)
      await clock.advance(SETTINGS.maxWaitMs)
      expect(await next).toEqual({ kind: 'caller-busy' })
      expect(clock.pending).toBe(0)
    })

    it('never waits for what costs nothing', async () => {
      const { slots } = openWithBudget()
      for (let count = 0; count < 1_000; count++) {
        const leave = await enter(slots, 'a')
        slots.charge('a', 0)
        leave()
      }
      expect(await stateOf(slots.enter('a', here))).toBe('entered')
    })

    it('ends no call that is under way', async () => {
      const { clock, slots } = openWithBudget()
      await enter(slots, 'a')
      const leave = await enter(slots, 'a')
      const next = slots.enter('a', here)
      slots.charge('a', 300)
      leave()
      expect(await stateOf(next)).toBe('waits')
      await clock.advance(SETTINGS.maxWaitMs + 10)
      expect(await next).toEqual({ kind: 'caller-busy' })
    })
  })
})
