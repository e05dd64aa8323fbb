import { keepNewest } from '@watchroom/shared/kernel'
import { expect, it } from 'vitest'

it.each([
  [2, ['b', 'c']],
  [3, ['a', 'b', 'c']],
  [0, []],
])('keeps the %d entries that came last', (max, left) => {
  const entries = new Map(['a', 'b', 'c'].map((key) => [key, key]))
  keepNewest(entries, max)
  expect([...entries.keys()]).toEqual(left)
})
