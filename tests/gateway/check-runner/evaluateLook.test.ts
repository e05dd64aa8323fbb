import { expect, it, onTestFinished, vi } from 'vitest'

import { evaluateLook } from '../../../gateway/src/check-runner/evaluateLook.ts'

// Three loops, each over the whole list, are more than any machine does within the limit.
const ENDLESS = {
  expression: 'numbers.all(a, numbers.all(b, numbers.all(c, a + b + c >= 0)))',
  wants: 'truth',
  variables: [{ name: 'numbers', type: 'dyn', value: Array.from({ length: 2_000 }, (_, index) => index) }],
} as const

// What the process was given of the processor meanwhile is no matter of the machine that the test runs on.
it.each([
  { of: 'took too long', user: 90_000, more: {} },
  { of: 'was hardly let run, and may be asked later', user: 0, more: { isPassing: true } },
])('says of an expression that it $of', ({ user, more }) => {
  const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user, system: 0 })
  onTestFinished(() => usage.mockRestore())
  const problem = { text: 'takes too long on this answer', isMalformed: false, ...more }
  expect(evaluateLook(ENDLESS)).toEqual({ problem })
})
