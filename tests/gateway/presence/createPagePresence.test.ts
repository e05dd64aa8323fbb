import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import type { PagePresence } from '../../../gateway/src/presence/contract.ts'
import { createPagePresence } from '../../../gateway/src/presence/createPagePresence.ts'

const RUN = { page: 'playbook_runs', id: 'run-1' } as const
const OTHER_RUN = { page: 'playbook_runs', id: 'run-2' } as const
const ana = { userId: 'ana', name: 'Ana' }
const bo = { userId: 'bo', name: 'Bo' }

let clock: FakeClock
let presence: PagePresence
let told: string[]

beforeEach(() => {
  clock = new FakeClock()
  presence = createPagePresence({ clock })
  told = []
  presence.feed(RUN).listen({
    onRead: ({ rows }) => told.push(rows.map(({ id, name }) => `${name} in tab-${id}`).join(', ')),
    onProblem: () => undefined,
  })
})

describe('who has a page open', () => {
  it('[LIVE-66] is whoever watches it, one row a tab', () => {
    presence.feed(RUN).watch(ana)
    presence.feed(RUN).watch(bo)
    presence.feed(RUN).watch(ana)
    presence.feed(OTHER_RUN).watch(bo)
    expect(told).toEqual(['', 'Ana in tab-1', 'Ana in tab-1, Bo in tab-2', 'Ana in tab-1, Bo in tab-2, Ana in tab-3'])
  })

  it('[LIVE-66] goes three seconds after the last word, and is told once', async () => {
    const leave = presence.feed(RUN).watch(ana)
    leave()
    leave()
    await clock.advance(2_900)
    expect(told.at(-1)).toBe('Ana in tab-1')
    await clock.advance(200)
    expect(told.slice(1)).toEqual(['Ana in tab-1', ''])
    await clock.advance(10_000)
    expect(told).toHaveLength(3)
  })

  it('[LIVE-66] stays the same tab for whoever comes back in time, and for nobody else', async () => {
    presence.feed(RUN).watch(ana)()
    presence.feed(RUN).watch(bo)
    presence.feed(RUN).watch(ana)
    await clock.advance(10_000)
    expect(told.slice(1)).toEqual(['Ana in tab-1', 'Ana in tab-1, Bo in tab-2'])
  })

  it('is no screen without an account', () => {
    presence.feed(RUN).watch()
    expect(told).toEqual([''])
  })
})

describe('the company of a person', () => {
  it('is everyone on the pages where they are, once, the page entered last first', async () => {
    presence.feed(RUN).watch(ana)
    presence.feed(RUN).watch(bo)
    presence.feed(RUN).watch(bo)
    const leave = presence.feed(OTHER_RUN).watch(ana)
    expect(presence.companyOf('playbook_runs', 'ana')).toEqual([
      ['run-2', ['ana']],
      ['run-1', ['ana', 'bo']],
    ])
    expect(presence.companyOf('playbook_runs', 'bo')).toEqual([['run-1', ['ana', 'bo']]])
    expect(presence.companyOf('playbooks', 'ana')).toEqual([])
    expect(presence.companyOf('playbook_runs', 'cy')).toEqual([])
    leave()
    await clock.advance(4_000)
    expect(presence.companyOf('playbook_runs', 'ana')).toEqual([['run-1', ['ana', 'bo']]])
  })
})
