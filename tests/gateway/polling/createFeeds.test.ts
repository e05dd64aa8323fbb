// How often one source is read, where that is not every poller's own.
import { Readable } from 'node:stream'

import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'
import { createFeeds } from '../../../gateway/src/polling/createFeeds.ts'

const ID = '018f0000-0000-7000-8000-000000000001'

it('[LIVE-31] reads the changelog at most once a second while people type, and at once after a pause', async () => {
  const clock = new FakeClock()
  const readAt: number[] = []
  const owner = createFeeds({
    clock,
    random: () => 0,
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics({ process: false }),
    backend: {
      hasServiceCredential: true,
      request: async ({ path }) => {
        if (path.startsWith('/db/incident_histories')) readAt.push(clock.monotonic())
        const body = { status: 200, headers: {}, body: Readable.from('[]'), discard: () => {} }
        return { ...body, text: async () => '[]', json: async () => [] }
      },
      close: async () => {},
    },
  })
  const changelog = owner.feeds.incident({ id: ID })
  changelog.watch()
  await clock.advance(0)
  // Rows of forty people a second.
  for (let wakes = 0; wakes < 120; wakes++) {
    await clock.advance(25)
    changelog.wake()
  }
  expect(readAt).toEqual([0, 1_000, 2_000, 3_000])
  await clock.advance(3_000)
  const pausedAt = clock.monotonic()
  changelog.wake()
  await clock.advance(0)
  expect(readAt.at(-1)).toBe(pausedAt)
  owner.close()
})
