import { beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { FakeClock } from '#support/fakeClock.ts'

import { createUpdateKeeper, type UpdateKeeper } from '../../../web/src/collab/createUpdateKeeper.ts'

/** Of one person, letter by letter. */
function type(letters: number): { doc: Y.Doc; updates: Uint8Array[] } {
  const doc = new Y.Doc()
  const updates: Uint8Array[] = []
  doc.on('update', (update: Uint8Array) => updates.push(update))
  for (let letter = 0; letter < letters; letter++) doc.getText('title').insert(letter, 'x')
  return { doc, updates }
}

function read(updates: readonly Uint8Array[]): string {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc.getText('title').toJSON()
}

let clock: FakeClock
let stored: Uint8Array[]
let compactions: number
let keeper: UpdateKeeper
beforeEach(() => {
  clock = new FakeClock()
  stored = []
  compactions = 0
  keeper = createUpdateKeeper({ clock, store: (update) => stored.push(update), compact: () => (compactions += 1) })
})

describe('createUpdateKeeper', () => {
  it('stores a burst of others as one piece a second, and all of it', async () => {
    keeper.start(1)
    const { doc, updates } = type(450)
    for (const update of updates) {
      keeper.keep(update, false)
      await clock.advance(1_000 / 150)
    }
    await clock.advance(1_000)
    expect(stored.length).toBeLessThanOrEqual(4)
    expect(read(stored)).toBe(doc.getText('title').toJSON())
  })

  it('stores an own change at once, with everything that it may build on', () => {
    keeper.start(1)
    const { updates } = type(3)
    keeper.keep(updates[0]!, false)
    keeper.keep(updates[1]!, false)
    expect(stored).toEqual([])
    keeper.keep(updates[2]!, true)
    expect(stored).toHaveLength(1)
    expect(read(stored)).toBe('xxx')
  })

  it('stores what came before the storage was open', () => {
    const { updates } = type(2)
    keeper.keep(updates[0]!, true)
    keeper.keep(updates[1]!, false)
    expect(stored).toEqual([])
    keeper.start(1)
    expect(read(stored)).toBe('xx')
  })

  it('puts the pieces together every 200, though nobody ever stops typing', async () => {
    keeper.start(150)
    for (const update of type(500).updates) {
      keeper.keep(update, true)
      await clock.advance(100)
    }
    expect(compactions).toBe(3)
  })

  it('leaves a storage that was full of pieces with one, and nothing behind when it is closed', async () => {
    keeper.start(18_000)
    expect(compactions).toBe(1)
    keeper.keep(type(1).updates[0]!, false)
    keeper.close()
    await clock.advance(2_000)
    expect(stored).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
