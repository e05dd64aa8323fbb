import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { ANA, BO } from '#support/incidentDocument.ts'

import { createLockout, type DocumentPage, type Lockout } from '../../../../gateway/src/collab/socket/createLockout.ts'

let clock: FakeClock
let lockout: Lockout

beforeEach(() => {
  clock = new FakeClock()
  lockout = createLockout({ clock })
})

const page = (overrides: Partial<DocumentPage> = {}): DocumentPage => ({
  userId: ANA,
  document: 'incident/1',
  page: '',
  ...overrides,
})
const refuse = (who: DocumentPage, times: number): void => {
  for (let count = 0; count < times; count++) lockout.noteRefusal(who)
}

describe('[COLLAB-7] refusals', () => {
  it('lock the page that gets them, and neither its person’s other pages nor the same page elsewhere', () => {
    refuse(page(), 30)
    expect(lockout.isLocked(page())).toBe(false)
    // A stock client in a loop, ten times a second.
    refuse(page(), 600)
    expect(lockout.isLocked(page())).toBe(true)
    expect(lockout.isLocked(page({ page: '7' }))).toBe(false)
    expect(lockout.isLocked(page({ document: 'incident/2' }))).toBe(false)
    expect(lockout.isLocked(page({ userId: BO }))).toBe(false)
  })

  it('lock a person who calls every page another one', () => {
    for (let count = 0; count < 301; count++) refuse(page({ page: String(count) }), 1)
    expect(lockout.isLocked(page({ page: 'new' }))).toBe(true)
    expect(lockout.isLocked(page({ userId: BO }))).toBe(false)
  })

  it('are forgotten after a minute, with everything that was kept of them', async () => {
    for (let count = 0; count < 400; count++) refuse(page({ page: String(count) }), 1)
    expect(lockout.size).toBeGreaterThan(400)
    await clock.advance(61_000)
    expect(lockout.isLocked(page())).toBe(false)
    refuse(page({ userId: BO }), 1)
    expect(lockout.size).toBe(2)
  })
})
