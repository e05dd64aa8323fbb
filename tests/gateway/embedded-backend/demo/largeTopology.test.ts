import { findSpecFault, type TopologyComponent, TopologySpecSchema } from '@watchroom/shared/specs'
import { expect, it } from 'vitest'

import { largeTopology } from '../../../../gateway/src/embedded-backend/demo/largeTopology.ts'

it('the large estate has 2,025 components on five levels, over all of its 10,000 checks', () => {
  const { spec } = largeTopology()
  expect(findSpecFault('topologies', spec)).toBeNull()
  const levels: number[] = []
  const selectors = new Set<string>()
  const visit = (components: readonly TopologyComponent[], level: number): void => {
    for (const { checks, components: parts } of components) {
      levels[level] = (levels[level] ?? 0) + 1
      for (const check of checks ?? []) selectors.add(JSON.stringify(check))
      visit(parts ?? [], level + 1)
    }
  }
  visit(TopologySpecSchema.parse(spec).components ?? [], 0)
  expect(levels).toEqual([5, 20, 200, 800, 1_000])
  // Each means the ten checks whose names begin so.
  expect(selectors.size).toBe(1_000)
})
