import { expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import type { LookAnswer } from '../../../../../gateway/src/check-runner/evaluateLook.ts'
import type { LookUp } from '../../../../../gateway/src/check-runner/lookApart.ts'
import { createPatientLookUp } from '../../../../../gateway/src/embedded-backend/catalog/run/createPatientLookUp.ts'

const LOOK = { expression: 'config.port', wants: 'text', variables: [] } as const
const toProblem = (more: object): LookAnswer => ({ problem: { text: 'takes too long', isMalformed: false, ...more } })
const STARVED = toProblem({ isPassing: true })

it('asks again what could not be asked now, until it is answered', async () => {
  const clock = new FakeClock()
  const lookUp = vi.fn<LookUp>().mockResolvedValueOnce(STARVED).mockResolvedValueOnce(STARVED)
  lookUp.mockResolvedValue({ value: '5432' })
  const asked = createPatientLookUp(lookUp, clock, new AbortController().signal)(LOOK)
  for (const tries of [1, 2]) {
    await eventually(() => expect([lookUp.mock.calls.length, clock.pending]).toEqual([tries, 1]))
    await clock.advance(1_000)
  }
  expect(await asked).toEqual({ value: '5432' })
  expect(lookUp).toHaveBeenCalledTimes(3)
})

it('asks only once for what is wrong or too slow by itself', async () => {
  const lookUp = vi.fn<LookUp>().mockResolvedValue(toProblem({}))
  expect(await createPatientLookUp(lookUp, new FakeClock(), new AbortController().signal)(LOOK)).toEqual(toProblem({}))
  expect(lookUp).toHaveBeenCalledTimes(1)
})

it('ends with the last answer when nobody waits for it any more', async () => {
  const clock = new FakeClock()
  const stop = new AbortController()
  const asked = createPatientLookUp(async () => STARVED, clock, stop.signal)(LOOK)
  await eventually(() => expect(clock.pending).toBe(1))
  stop.abort()
  expect(await asked).toEqual(STARVED)
  expect(clock.pending).toBe(0)
})
