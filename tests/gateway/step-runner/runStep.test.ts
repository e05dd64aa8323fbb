import { expect, it } from 'vitest'

import type { StepCall } from '../../../gateway/src/step-runner/contract.ts'
import { runStep } from '../../../gateway/src/step-runner/runStep.ts'

it('does nothing of a step whose run was cancelled while it waited for its turn', async () => {
  let done = 0
  const steps = {
    http: () => {
      done += 1
      return Promise.resolve({ error: null, result: null })
    },
  }
  const cancelled = new Error('cancelled')
  const action = { name: 'tell', http: { url: 'http://127.0.0.1:9/' } }
  const callWith = (signal: AbortSignal) => runStep(steps, action, { signal } as StepCall<never>)
  await expect(callWith(AbortSignal.abort(cancelled))).rejects.toBe(cancelled)
  expect(done).toBe(0)
  await callWith(new AbortController().signal)
  expect(done).toBe(1)
})
