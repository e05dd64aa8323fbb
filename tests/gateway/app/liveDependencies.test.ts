import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { toDatabaseDependency } from '../../../gateway/src/app/liveDependencies.ts'

describe('readiness of the database', () => {
  it('says whether it answers now, not whether it once was there', async () => {
    const clock = new FakeClock()
    const database = { isThere: false, answers: true, asked: 0 }
    const dependency = toDatabaseDependency(
      {
        isReady: () => database.isThere,
        answers: async () => {
          database.asked += 1
          return database.answers
        },
      },
      clock,
    )
    const check = async (): Promise<unknown> => dependency.check()
    expect(await check()).toEqual({ isReady: false, state: 'unavailable' })
    database.isThere = true
    await clock.advance(1_000)
    const ready = { isReady: true, state: 'ready' }
    expect(await Promise.all([check(), check()])).toEqual([ready, ready])
    expect(database.asked).toBe(1)
    database.answers = false
    await clock.advance(1_000)
    expect(await check()).toEqual({ isReady: false, state: 'no answer' })
    database.answers = true
    await clock.advance(1_000)
    expect(await check()).toEqual({ isReady: true, state: 'ready' })
  })
})
