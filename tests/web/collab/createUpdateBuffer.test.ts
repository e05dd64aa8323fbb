import { beforeEach, describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { FakeClock } from '#support/fakeClock.ts'

import { createUpdateBuffer, type UpdateBuffer } from '../../../web/src/collab/createUpdateBuffer.ts'

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
let buffer: UpdateBuffer
beforeEach(() => {
  clock = new FakeClock()
  stored = []
  compactions = 0
  buffer = createUpdateBuffer({ clock, store: (update) => stored.push(update), compact: () => (compactions += 1) })
})

describe('createUpdateBuffer', () => {
  it('stores a burst of others as one piece a second, and all of it', async () => {
    buffer.start(1)
    const { doc, updates } = type(450)
    for (const update of updates) {
      buffer.add(update, false)
      await clock.advance(1_000 / 150)
    }
    await clock.advance(1_000)
    expect(stored.length).toBeLessThanOrEqual(4)
    expect(read(stored)).toBe(doc.getText('title').toJSON())
  })

  it('stores an own change at once, with everything that it may build on', () => {
    buffer.start(1)
    const { updates } = type(3)
    buffer.add(updates[0]!, false)
    buffer.add(updates[1]!, false)
    expect(stored).toEqual([])
    buffer.add(updates[2]!, true)
    expect(stored).toHaveLength(1)
    expect(read(stored)).toBe('xxx')
  })

  it('stores what came before the storage was open', () => {
    const { updates } = type(2)
    buffer.add(updates[0]!, true)
    buffer.add(updates[1]!, false)
    expect(stored).toEqual([])
    buffer.start(1)
    expect(read(stored)).toBe('xx')
  })

  it('puts the pieces together every 200, though nobody ever stops typing', async () => {
    buffer.start(150)
    for (const update of type(500).updates) {
      buffer.add(update, true)
      await clock.advance(100)
    }
    expect(compactions).toBe(3)
  })

  it('leaves a storage that was full of pieces with one, and nothing behind when it is closed', async () => {
    buffer.start(18_000)
    expect(compactions).toBe(1)
    buffer.add(type(1).updates[0]!, false)
    buffer.close()
    await clock.advance(2_000)
    expect(stored).toEqual([])
    expect(clock.pending).toBe(0)
  })
})
