import { beforeEach, describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { ANA, BO } from '#support/incidentDocument.ts'

import { createRefusals, type Refusals, type Visitor } from '../../../gateway/src/collab/createRefusals.ts'

let clock: FakeClock
let refusals: Refusals

beforeEach(() => {
  clock = new FakeClock()
  refusals = createRefusals({ clock })
})

const visitor = (overrides: Partial<Visitor> = {}): Visitor => ({
  userId: ANA,
  document: 'incident/1',
  page: '',
  ...overrides,
})
const refuse = (who: Visitor, times: number): void => {
  for (let count = 0; count < times; count++) refusals.note(who)
}

describe('[COLLAB-7] refusals', () => {
  it('lock the page that gets them, and neither its person’s other pages nor the same page elsewhere', () => {
    refuse(visitor(), 30)
    expect(refusals.isOver(visitor())).toBe(false)
    // A stock client in a loop, ten times a second.
    refuse(visitor(), 600)
    expect(refusals.isOver(visitor())).toBe(true)
    expect(refusals.isOver(visitor({ page: '7' }))).toBe(false)
    expect(refusals.isOver(visitor({ document: 'incident/2' }))).toBe(false)
    expect(refusals.isOver(visitor({ userId: BO }))).toBe(false)
  })

  it('lock a person who calls every page another one', () => {
    for (let page = 0; page < 301; page++) refuse(visitor({ page: String(page) }), 1)
    expect(refusals.isOver(visitor({ page: 'new' }))).toBe(true)
    expect(refusals.isOver(visitor({ userId: BO }))).toBe(false)
  })

  it('are forgotten after a minute, with everything that was kept of them', async () => {
    for (let page = 0; page < 400; page++) refuse(visitor({ page: String(page) }), 1)
    expect(refusals.size).toBeGreaterThan(400)
    await clock.advance(61_000)
    expect(refusals.isOver(visitor())).toBe(false)
    refuse(visitor({ userId: BO }), 1)
    expect(refusals.size).toBe(2)
  })
})
