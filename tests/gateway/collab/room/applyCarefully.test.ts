import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { createRandom } from '#support/random.ts'
import { buildSlowUpdate } from '#support/slowUpdate.ts'

import { applyCarefully } from '../../../../gateway/src/collab/room/applyCarefully.ts'

const structsOf = (update: Uint8Array) => Y.decodeUpdate(update).structs
/** Much arithmetic: on a busy machine twenty times the usual third of a second. */
const BUSY_MS = 60_000
/** Time that does not pass: a busy machine cannot make an honest update look slow. */
const noTime = (): number => 0

/** What the document says afterwards, and in how many transactions it got there. */
function outcomeOf(apply: (doc: Y.Doc) => void): unknown {
  const doc = new Y.Doc()
  let transactions = 0
  doc.on('afterTransaction', () => (transactions += 1))
  apply(doc)
  const state = Buffer.from(Y.encodeStateAsUpdate(doc)).toString('base64')
  return { state, text: doc.getText('text').toJSON(), map: doc.getMap('map').toJSON(), transactions }
}

const carefully = (update: Uint8Array): unknown =>
  outcomeOf((doc) => applyCarefully(doc, update, structsOf(update), noTime))
const plainly = (update: Uint8Array): unknown => outcomeOf((doc) => Y.applyUpdate(doc, update))

describe('applyCarefully', () => {
  it('gives what Yjs gives, in one transaction: insertions anywhere, deletions, maps', { timeout: BUSY_MS }, () => {
    const random = createRandom(3)
    const doc = new Y.Doc()
    const text = doc.getText('text')
    for (let index = 0; index < 3_000; index++) {
      if (random() < 0.3 && text.length > 10) text.delete(Math.floor(random() * (text.length - 5)), 3)
      else text.insert(Math.floor(random() * text.length), 'word')
      if (index % 3 === 0) doc.getMap('map').set(`key${index % 50}`, new Y.Map([['of', index]]))
    }
    const update = Y.encodeStateAsUpdate(doc)
    expect(carefully(update)).toEqual(plainly(update))
  })

  it('gives what Yjs gives where clients build on one another', { timeout: BUSY_MS }, () => {
    const docs = [1, 2, 3].map((clientID) => Object.assign(new Y.Doc(), { clientID }))
    const random = createRandom(4)
    for (let index = 0; index < 400; index++) {
      const doc = docs[index % 3] as Y.Doc
      doc.getText('text').insert(Math.floor(random() * doc.getText('text').length), 'ab')
      for (const other of docs) if (other !== doc) Y.applyUpdate(other, Y.encodeStateAsUpdate(doc))
    }
    const update = Y.encodeStateAsUpdate(docs[0] as Y.Doc)
    expect(carefully(update)).toEqual(plainly(update))
  })

  it('[COLLAB-17] gives up on an update that is made to take long, and soon', () => {
    const doc = new Y.Doc()
    doc.clientID = 5
    doc.getText('text').insert(0, 'y'.repeat(20_000))
    const update = buildSlowUpdate({ clientId: 5, clock: 0, length: 20_000 }, 9, 10_000)
    expect(applyCarefully(doc, update, structsOf(update))).toBe('tooSlow')
    // Half a minute if it were not for the care; most of the 10,000 were never looked at.
    expect(doc.getText('text').length).toBeLessThan(22_000)
  })

  describe('with stretches that take long', () => {
    const updateOf = (keys: number): Uint8Array => {
      const doc = new Y.Doc()
      for (let index = 0; index < keys; index++) doc.getMap('map').set(`key${index}`, index)
      return Y.encodeStateAsUpdate(doc)
    }
    /** Processor time per stretch, then none. */
    const timesOf = (...stretches: number[]): (() => number) => {
      let now = 0
      let asked = 0
      return () => (now += asked++ % 2 === 1 ? (stretches.shift() ?? 0) : 0)
    }
    const apply = (keys: number, ...stretches: number[]): string => {
      const update = updateOf(keys)
      return applyCarefully(new Y.Doc(), update, structsOf(update), timesOf(...stretches))
    }

    it('lets a pause pass, not many short ones and no long one', () => {
      expect(apply(640, 0, 20, 0)).toBe('applied')
      expect(apply(640, 5, 5, 5, 5, 5, 5, 5)).toBe('tooSlow')
      expect(apply(640, 30)).toBe('tooSlow')
    })

    it('[COLLAB-17] applies a small one and says that it was slow: one stretch alone proves nothing', () => {
      expect(apply(10, 20)).toBe('applied')
      expect(apply(10, 30)).toBe('slow')
    })
  })
})
