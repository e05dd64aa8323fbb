import { expect, it } from 'vitest'

import { formatExact } from '../../../web/src/ui/useExactTime.ts'

it('names seconds and zone', () => {
  expect(formatExact(Date.UTC(2026, 0, 31, 12), 'UTC')).toMatch(/12:00:00.*UTC/)
})
