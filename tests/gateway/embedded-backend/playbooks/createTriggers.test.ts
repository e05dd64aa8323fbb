import type { Pool } from 'pg'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createTriggers, type TriggersDeps } from '../../../../gateway/src/embedded-backend/playbooks/createTriggers.ts'

const EACH_SECOND = {
  id: 'p',
  name: 'each-second',
  title: null,
  spec: { on: { schedule: '@every 1s' }, actions: [{ name: 'note', exec: { script: 'true' } }] },
}

/** Triggers whose looks at the database a test may hold. */
function build() {
  const clock = new FakeClock()
  const world = { asked: 0, reads: 0, isHeld: false, release: (): void => undefined }
  // Of both only what triggers call.
  const pool = {
    query: async () => {
      world.reads += 1
      if (world.isHeld) await new Promise<void>((resolve) => (world.release = resolve))
      return { rows: [EACH_SECOND] }
    },
  } as unknown as Pool
  const runs = {
    ask: () => {
      world.asked += 1
      return Promise.resolve({ ok: true, value: null })
    },
  } as unknown as TriggersDeps['runs']
  const triggers = createTriggers({
    pool,
    clock,
    logger: pino({ level: 'silent' }),
    runs,
    lookUp: () => Promise.reject(new Error('nothing is looked up')),
  })
  return { clock, world, triggers }
}

describe('schedules of playbooks', () => {
  it('are followed while this process leads, and what passed before is not made up for', async () => {
    const { clock, world, triggers } = build()
    await clock.advance(60_000)
    triggers.setLeading(true)
    await clock.advance(5_000)
    expect(world.asked).toBe(5)
    triggers.setLeading(false)
    await clock.advance(5_000)
    triggers.setLeading(true)
    await clock.advance(5_000)
    expect(world.asked).toBe(10)
    triggers.close()
    expect(clock.pending).toBe(0)
  })

  it.each(['lost the lead', 'closed'])('are not followed after it %s during a look', async (what) => {
    const { clock, world, triggers } = build()
    world.isHeld = true
    triggers.setLeading(true)
    await clock.advance(3_000)
    expect(world.reads).toBe(1)
    if (what === 'closed') triggers.close()
    else triggers.setLeading(false)
    world.release()
    await clock.advance(60_000)
    expect(world).toMatchObject({ reads: 1, asked: 0 })
    expect(clock.pending).toBe(0)
  })
})
