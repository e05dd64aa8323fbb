import { toDurationText, tryParseDuration } from '@watchroom/shared/time'
import { expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

it.each([
  [0, '0ms'],
  [0.000_001, '0.000001ms'],
  [250, '250ms'],
  [1_500, '1.5s'],
  [100_000, '1m40s'],
  [300_000, '5m'],
  [630_000, '10m30s'],
  [4_800_000, '1h20m'],
  [90_000_000, '25h'],
])('writes %d ms as %s', (ms, text) => {
  expect(toDurationText(ms)).toBe(text)
})

it('is read again as what it was, to the nanosecond', () => {
  const random = createRandom(630)
  for (let round = 0; round < 2_000; round += 1) {
    const ns = Math.floor(random() * 10 ** Math.floor(1 + random() * 15))
    const text = toDurationText(ns / 1e6)
    expect([text, Math.round((tryParseDuration(text) ?? Number.NaN) * 1e6)]).toEqual([text, ns])
  }
})
