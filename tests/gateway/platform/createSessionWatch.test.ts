import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import {
  type AnswerAge,
  createSessionWatch,
  toSessionWatchSettings,
} from '../../../gateway/src/platform/createSessionWatch.ts'

const MINUTE = 60_000

function setUp(options: { random?: number; isAnnounced?: boolean; idleMs?: number } = {}) {
  const clock = new FakeClock()
  const looks: { at: number; age: AnswerAge }[] = []
  const ends: string[] = []
  const world = { endsAt: undefined as number | undefined, isAnnounced: options.isAnnounced ?? false, isAway: false }
  const watch = createSessionWatch({
    clock,
    random: () => options.random ?? 0.5,
    settings: toSessionWatchSettings(options.idleMs ?? 60 * MINUTE),
    isAnnounced: () => world.isAnnounced,
    endsAt: () => world.endsAt,
    look: async (age) => {
      looks.push({ at: clock.monotonic(), age })
      if (world.isAway) throw new Error('away')
    },
    onUnconfirmed: () => undefined,
    onEnd: (reason) => {
      ends.push(reason)
      watch.stop()
    },
  })
  return { clock, looks, ends, watch, world }
}

/** When a cache that answers as it is asked to would have to ask, for answers of one kind. */
function questions(looks: readonly { at: number; age: AnswerAge }[], kind: keyof AnswerAge): number[] {
  const asked = [0]
  for (const { at, age } of looks) if (at - (asked.at(-1) ?? 0) >= age[kind]) asked.push(at)
  return asked
}

const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - (times[index] ?? 0))

describe('where nobody announces changes', () => {
  it.each([0.001, 0.3, 0.5, 0.999])('[LIVE-54] asks once a minute about a session, begun at %d', async (random) => {
    const { clock, looks } = setUp({ random })
    await clock.advance(20 * MINUTE)
    const sessions = questions(looks, 'sessionMs')
    expect(sessions.length).toBeLessThanOrEqual(21)
    expect(Math.max(...gaps(sessions))).toBeLessThanOrEqual(MINUTE)
  })

  it.each([0.001, 0.3, 0.5, 0.999])('[LIVE-54] lets no right grow older than 30 s, begun at %d', async (random) => {
    const { clock, looks } = setUp({ random })
    await clock.advance(20 * MINUTE)
    const rights = questions(looks, 'rightsMs')
    expect(Math.max(...gaps(rights))).toBeLessThanOrEqual(30_000)
    expect(rights.length).toBeLessThanOrEqual(42)
  })

  it('[LIVE-60] acts by a look of the last 4 s alone', async () => {
    const { clock, watch } = setUp()
    expect(watch.isConfirmed()).toBe(true)
    await clock.advance(4_000)
    expect(watch.isConfirmed()).toBe(false)
    await watch.confirm()
    expect(watch.isConfirmed()).toBe(true)
    await clock.advance(20_000)
    expect(watch.isConfirmed()).toBe(false)
  })
})

it('[LIVE-54] asks nothing where changes are announced, and again when they are no more', async () => {
  const { clock, looks, watch, world } = setUp({ isAnnounced: true })
  await clock.advance(3 * MINUTE)
  expect(looks).toEqual([])
  expect(watch.isConfirmed()).toBe(true)
  world.isAnnounced = false
  await clock.advance(15_000)
  expect(looks).toHaveLength(1)
  expect(watch.isConfirmed()).toBe(false)
})

it.each([5 * MINUTE, 60 * MINUTE])(
  '[LIVE-54] uses a session that would end after %d ms without use',
  async (idleMs) => {
    const { clock, looks } = setUp({ isAnnounced: true, idleMs })
    await clock.advance(10 * idleMs)
    expect(looks.every(({ age }) => age.rightsMs === Infinity)).toBe(true)
    const uses = questions(looks, 'sessionMs')
    // Another tab of the same session may have asked just before: its answer is taken once.
    expect(Math.max(...gaps(uses)) + 60_000).toBeLessThan(idleMs)
    expect(uses.length).toBeLessThanOrEqual(16)
  },
)

it.each([true, false])('[LIVE-52] looks when the session ends by itself (announced: %s)', async (isAnnounced) => {
  const { clock, looks, world, watch } = setUp({ isAnnounced })
  await watch.confirm()
  world.endsAt = clock.now() + 5_000
  await watch.confirm()
  const before = looks.length
  await clock.advance(5_100)
  expect(looks.slice(before).map(({ age }) => age.sessionMs)).toEqual([1_000])
})

it('[LIVE-54] keeps what was confirmed for five minutes of silence, but not beyond the session’s own end', async () => {
  const { clock, ends, world } = setUp()
  world.isAway = true
  await clock.advance(4.9 * MINUTE)
  expect(ends).toEqual([])
  await clock.advance(0.6 * MINUTE)
  expect(ends).toEqual(['unconfirmed'])
  const other = setUp()
  other.world.isAway = true
  other.world.endsAt = other.clock.now() + MINUTE
  await other.clock.advance(MINUTE + 15_000)
  expect(other.ends).toEqual(['ended'])
})

it.each([true, false])('[LIVE-54] asks again for what nobody answered (announced: %s)', async (isAnnounced) => {
  const { clock, looks, watch, world } = setUp({ isAnnounced, random: 0.999 })
  world.isAway = true
  await watch.confirm()
  await clock.advance(1_100)
  expect(looks).toHaveLength(2)
  // More and more seldom while nobody is there.
  await clock.advance(MINUTE)
  expect(looks.length).toBeLessThanOrEqual(10)
  world.isAway = false
  await clock.advance(15_000)
  expect(new Set(looks.map(({ age }) => age.rightsMs))).toEqual(new Set([1_000]))
  const answered = looks.length
  await clock.advance(10_000)
  expect(looks).toHaveLength(answered)
  await clock.advance(3 * MINUTE)
  expect(looks.slice(answered).every(({ age }) => age.rightsMs > 1_000)).toBe(true)
  expect(looks.length > answered).toBe(!isAnnounced)
})

it('asks nothing more once it was stopped, and says nothing of what was asked before', async () => {
  const { clock, ends, looks, watch, world } = setUp()
  world.isAway = true
  world.endsAt = clock.now() + 1_000
  const before = watch.confirm()
  watch.stop()
  clock.step(2_000)
  await before
  expect(looks).toHaveLength(1)
  await watch.confirm()
  expect(looks).toHaveLength(1)
  expect(ends).toEqual([])
})
