import { describe, expect, it } from 'vitest'

import { buildCheck } from '#support/buildCheck.ts'

import { findNewFailures } from '../../../../../web/src/features/wallboard/board/findTransitions.ts'

describe('findNewFailures', () => {
  const healthy = buildCheck({ id: 'a', name: 'Payments' })
  const failing = buildCheck({ id: 'a', name: 'Payments', status: 'unhealthy' })
  const memoryOf = (...rows: (typeof healthy)[]) => findNewFailures(null, rows).memory

  it('finds checks that turn from well or unknown to failing', () => {
    const unknown = buildCheck({ id: 'a', name: 'Payments', status: null })
    for (const before of [healthy, unknown]) {
      expect(findNewFailures(memoryOf(before), [failing]).failures).toEqual([{ checkId: 'a', title: 'Payments' }])
    }
  })

  it('finds nothing when the page opens, when a failing check appears, keeps failing or recovers', () => {
    expect(findNewFailures(null, [failing]).failures).toEqual([])
    expect(findNewFailures(memoryOf(), [failing]).failures).toEqual([])
    expect(findNewFailures(memoryOf(failing), [{ ...failing, latency: { p95: 1 } }]).failures).toEqual([])
    expect(findNewFailures(memoryOf(failing), [healthy]).failures).toEqual([])
  })
})
