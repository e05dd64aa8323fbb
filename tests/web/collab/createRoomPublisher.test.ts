import { beforeEach, describe, expect, it, vi } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { IncidentRoom } from '../../../web/src/collab/contract.ts'
import { createRoomPublisher } from '../../../web/src/collab/createRoomPublisher.ts'

let clock: FakeClock
let elapsedMs: number
/** How long the screens take to show a room. */
let renderMs: number
const shown = vi.fn<(at: number) => void>()

const createPublisher = () => {
  const publisher = createRoomPublisher(
    { now: clock.now, schedule: clock.schedule, monotonic: () => clock.monotonic() + elapsedMs },
    // A room is as good as another here, as long as it is another object.
    () => ({ view: {} }) as unknown as IncidentRoom,
  )
  publisher.room()
  publisher.subscribe(() => {
    shown(clock.monotonic() + elapsedMs)
    elapsedMs += renderMs
  })
  return publisher
}

const times = () => shown.mock.calls.map(([at]) => at)

beforeEach(() => {
  clock = new FakeClock()
  elapsedMs = 0
  renderMs = 0
  shown.mockClear()
})

describe('what others do', () => {
  it('is shown together, once a frame', async () => {
    const publisher = createPublisher()
    for (let index = 0; index < 32; index++) {
      publisher.publishSoon()
      await clock.advance(1)
    }
    expect(times()).toEqual([16, 32])
  })

  it('leaves the page twice as long to the person as showing it took', async () => {
    renderMs = 30
    const publisher = createPublisher()
    publisher.publishSoon()
    await clock.advance(16)
    expect(times()).toEqual([16])
    publisher.publishSoon()
    await clock.advance(59)
    expect(times()).toHaveLength(1)
    await clock.advance(1)
    expect(times()).toEqual([16, 16 + 30 + 60])
  })

  it('never rests longer than a fifth of a second, however slow the page is', async () => {
    renderMs = 1_000
    const publisher = createPublisher()
    publisher.publishSoon()
    await clock.advance(16)
    publisher.publishSoon()
    await clock.advance(200)
    expect(times()).toHaveLength(2)
  })

  it('waits until a key had its frame, and no longer than a fifth of a second for someone who types on', async () => {
    const publisher = createPublisher()
    publisher.publishSoon()
    publisher.noteKey()
    await clock.advance(39)
    expect(times()).toEqual([])
    await clock.advance(1)
    expect(times()).toEqual([40])
    publisher.publishSoon()
    for (let index = 0; index < 30; index++) {
      publisher.noteKey()
      await clock.advance(10)
    }
    expect(times()).toEqual([40, 240])
  })

  it('does not keep an own command waiting', async () => {
    const publisher = createPublisher()
    publisher.noteKey()
    publisher.publish()
    expect(times()).toEqual([0])
  })
})
