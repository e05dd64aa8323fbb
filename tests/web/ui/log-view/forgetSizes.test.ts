import { expect, it } from 'vitest'

import { PLAIN } from '../../../../web/src/ui/log-view/ansi.ts'
import type { LogLine } from '../../../../web/src/ui/log-view/createLogLines.ts'
import { forgetSizes } from '../../../../web/src/ui/log-view/forgetSizes.ts'

const line = (place: number): LogLine => ({
  id: `l${place}`,
  text: 'x',
  at: null,
  stream: 'stdout',
  start: PLAIN,
})

it('heights of a tail that goes on for hours stay as many as its lines', () => {
  const sizes = new Map<string | number | bigint, number>()
  let most = 0
  for (let first = 0; first < 5_000; first += 10) {
    const lines = Array.from({ length: 200 }, (_, index) => line(first + index))
    for (const { id = '' } of lines.slice(-30)) sizes.set(id, 62)
    forgetSizes(sizes, lines)
    most = Math.max(most, sizes.size)
    expect(lines.slice(-30).every(({ id = '' }) => sizes.has(id))).toBe(true)
  }
  expect(most).toBeLessThanOrEqual(200)
})
