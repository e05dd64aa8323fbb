import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createAgentWatch } from '../../../../gateway/src/embedded-backend/checks/createAgentWatch.ts'

function build() {
  const clock = new FakeClock()
  const changes: string[][] = []
  const watch = createAgentWatch({ clock, offlineAfterMs: 61_000, onChange: (ids) => changes.push([...ids]) })
  const start = clock.now()
  return { clock, watch, changes, start }
}

describe('createAgentWatch', () => {
  it('tells of an agent that falls silent at that moment, without being asked', async () => {
    const { clock, watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: start, createdAt: start }])
    await clock.advance(61_000)
    expect(changes).toEqual([])
    expect(watch.silentSince('a')).toBeNull()
    await clock.advance(100)
    expect(changes).toEqual([['a']])
    expect(watch.silentSince('a')).toBe(start)
  })

  it('tells of an agent that is heard again', async () => {
    const { clock, watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: start - 3_600_000, createdAt: 0 }])
    expect(changes).toEqual([['a']])
    watch.seen('a', clock.now())
    expect(changes).toEqual([['a'], ['a']])
    expect(watch.silentSince('a')).toBeNull()
  })

  it('counts every heartbeat', async () => {
    const { clock, watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: start, createdAt: start }])
    for (let beat = 0; beat < 40; beat++) {
      await clock.advance(15_000)
      watch.seen('a', clock.now())
    }
    expect(changes).toEqual([])
    const lastAt = clock.now()
    await clock.advance(70_000)
    expect(changes).toEqual([['a']])
    expect(watch.silentSince('a')).toBe(lastAt)
  })

  it('is not set back by a row that was read before the heartbeat', () => {
    const { clock, watch, changes, start } = build()
    watch.seen('a', clock.now())
    watch.set([{ id: 'a', lastSeenAt: start - 3_600_000, createdAt: 0 }])
    expect(changes).toEqual([])
  })

  it('counts an agent that was never seen from its creation, and forgets one that is gone', async () => {
    const { clock, watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: null, createdAt: start }])
    await clock.advance(62_000)
    expect(watch.silentSince('a')).toBe(start)
    watch.set([])
    expect(watch.silentSince('a')).toBeNull()
    expect(changes).toEqual([['a']])
  })

  it('counts a deleted agent as silent at once', () => {
    const { watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: start, createdAt: start }])
    watch.set([{ id: 'a', lastSeenAt: start, createdAt: start, isGone: true }])
    expect(changes).toEqual([['a']])
    expect(watch.silentSince('a')).toBe(start)
  })

  it('tells of nobody after it was closed', async () => {
    const { clock, watch, changes, start } = build()
    watch.set([{ id: 'a', lastSeenAt: start, createdAt: start }])
    watch.close()
    await clock.advance(200_000)
    expect(changes).toEqual([])
  })
})
