import { EventEmitter } from 'node:events'

import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createReaderWatch } from '../../../../gateway/src/collab/socket/createReaderWatch.ts'

class QuietSocket extends EventEmitter {
  readonly OPEN = 1
  readonly readyState = 1
  bufferedAmount = 0
  pings = 0
  ping(): void {
    this.pings += 1
  }
}

it('[COLLAB-12] cuts a reader that lets a question lie, and nobody for the time in which this process stood still', async () => {
  const clock = new FakeClock()
  let stoodStill = 0
  const watch = createReaderWatch({
    clock: { now: clock.now, schedule: clock.schedule, monotonic: () => clock.monotonic() + stoodStill },
    settings: { askMs: 5_000, cutMs: 15_000 },
  })
  const [answers, silent] = [new QuietSocket(), new QuietSocket()]
  const stuck: string[] = []
  watch.add(answers, () => stuck.push('answers'))
  watch.add(silent, () => stuck.push('silent'))
  await clock.advance(5_000)
  expect([answers.pings, silent.pings]).toEqual([1, 1])
  // The answer is there, and read only after the timer that was due long ago.
  stoodStill = 60_000
  await clock.advance(5_000)
  answers.emit('pong')
  expect(stuck).toEqual([])
  await clock.advance(10_000)
  expect(stuck).toEqual(['silent'])
  watch.close()
})
