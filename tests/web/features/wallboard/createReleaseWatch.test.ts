import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createReleaseWatch } from '../../../../web/src/features/wallboard/createReleaseWatch.ts'

function start(options: { ownBuild?: string | null; minAgeMs?: number } = {}) {
  const clock = new FakeClock()
  const state = { served: 'old' as string | null | Error, isIdle: true, reloads: 0, reads: 0 }
  const watch = createReleaseWatch({
    clock,
    random: () => 0.5,
    ownBuild: options.ownBuild === undefined ? 'old' : options.ownBuild,
    minAgeMs: options.minAgeMs ?? 60_000,
    isIdle: () => state.isIdle,
    reload: () => {
      state.reloads += 1
    },
    readBuild: async () => {
      state.reads += 1
      if (state.served instanceof Error) throw state.served
      return state.served
    },
  })
  return { clock, state, watch }
}

describe('release watch', () => {
  it('loads the page anew once another build is served, at the latest after some minutes', async () => {
    const { clock, state, watch } = start()
    await clock.advance(70_000)
    state.served = 'new'
    await clock.advance(330_000)
    expect(state.reloads).toBe(1)
    watch.close()
    expect(clock.pending).toBe(0)
  })

  it('asks at once when the gateway came back', async () => {
    const { clock, state, watch } = start()
    await clock.advance(70_000)
    state.served = 'new'
    watch.check()
    await clock.advance(5_000)
    expect(state.reloads).toBe(1)
    watch.close()
  })

  it('waits while someone uses the page', async () => {
    const { clock, state, watch } = start()
    await clock.advance(70_000)
    state.isIdle = false
    state.served = 'new'
    watch.check()
    await clock.advance(200_000)
    expect(state.reloads).toBe(0)
    state.isIdle = true
    await clock.advance(5_000)
    expect(state.reloads).toBe(1)
    watch.close()
  })

  it('does not load a young page again and again when a server mixes builds', async () => {
    const { clock, state, watch } = start({ minAgeMs: 600_000 })
    state.served = 'new'
    watch.check()
    await clock.advance(590_000)
    expect(state.reloads).toBe(0)
    await clock.advance(20_000)
    expect(state.reloads).toBe(1)
    watch.close()
  })

  it('stays when the release is taken back before anyone could reload', async () => {
    const { clock, state, watch } = start()
    await clock.advance(70_000)
    state.isIdle = false
    state.served = 'new'
    watch.check()
    await clock.advance(10_000)
    state.served = 'old'
    watch.check()
    await clock.advance(1_000)
    state.isIdle = true
    await clock.advance(600_000)
    expect(state.reloads).toBe(0)
    watch.close()
  })

  it('stays while nobody can tell, and when it does not know its own build', async () => {
    const away = start()
    away.state.served = new Error('away')
    await away.clock.advance(700_000)
    away.state.served = null
    await away.clock.advance(700_000)
    expect(away.state.reloads).toBe(0)
    expect(away.state.reads).toBeGreaterThan(10)
    away.watch.close()

    const development = start({ ownBuild: null })
    development.state.served = 'new'
    await development.clock.advance(700_000)
    expect(development.state).toMatchObject({ reloads: 0, reads: 0 })
    development.watch.close()
  })

  it('loads the page anew when the gateway says that it is too old', async () => {
    const { clock, state, watch } = start()
    await clock.advance(70_000)
    watch.outdated()
    await clock.advance(5_000)
    expect(state.reloads).toBe(1)
    watch.close()
  })
})
