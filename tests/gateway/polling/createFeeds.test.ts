// How often one source is read, where that is not every poller's own, and that none is read after the end.
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'

import { expect, it, vi } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'
import { POLLED_ID, POLLED_PARAMS } from '#support/polledParams.ts'

import { createLogger } from '../../../gateway/src/platform/logger.ts'
import { createMetrics } from '../../../gateway/src/platform/metrics.ts'
import type { Feed, PolledFeeds } from '../../../gateway/src/polling/contract.ts'
import { createFeeds } from '../../../gateway/src/polling/createFeeds.ts'

function open(onRequest: (path: string) => void) {
  const clock = new FakeClock()
  const owner = createFeeds({
    clock,
    random: () => 0,
    logger: createLogger({ level: 'silent' }),
    metrics: createMetrics({ process: false }),
    backend: {
      hasServiceCredential: true,
      request: async ({ path }) => {
        onRequest(path)
        const body = { status: 200, headers: {}, body: Readable.from('[]'), discard: () => {} }
        return { ...body, text: async () => '[]', json: async () => [] }
      },
      close: async () => {},
    },
  })
  return { clock, owner }
}

it('[LIVE-31] reads the changelog at most once a second while people type, and at once after a pause', async () => {
  const readAt: number[] = []
  const { clock, owner } = open((path) => {
    if (path.startsWith('/db/incident_histories')) readAt.push(clock.monotonic())
  })
  const changelog = owner.feeds.incident({ id: POLLED_ID })
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

it('closes every feed that it opened', async () => {
  const request = vi.fn<(path: string) => void>()
  const { clock, owner } = open(request)
  const names = Object.keys(POLLED_PARAMS) as (keyof PolledFeeds)[]
  const heard = new Set<string>()
  for (const name of names) {
    const feed = (owner.feeds[name] as (params: object) => Feed<unknown>)(POLLED_PARAMS[name])
    feed.listen({ onRead: () => heard.add(name), onProblem: () => heard.add(name) })
    feed.watch()
  }
  await eventually(async () => {
    await clock.advance(1_000)
    expect(names.filter((name) => !heard.has(name))).toEqual([])
  })
  owner.close()
  // What was under way comes to its end.
  await setImmediate()
  request.mockClear()
  await clock.advance(600_000)
  expect([request.mock.calls, clock.pending]).toEqual([[], 0])
})
