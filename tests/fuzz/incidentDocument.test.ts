import { createIncidentReader, projectIncident, readIncident, watchChange } from '@watchroom/shared/collab'
import { describe, expect, it } from 'vitest'
import * as Y from 'yjs'

import { editSomething, pick, type Random } from '#support/editSomething.ts'
import { howMany } from '#support/howMany.ts'
import { buildPeer, testId, type TestPeer } from '#support/incidentDocument.ts'
import { createRandom } from '#support/random.ts'

const SEEDS = howMany('WATCHROOM_FUZZ_SEEDS', { short: 500, long: 5_000 })
const FIRST_SEED = Number(process.env.WATCHROOM_FUZZ_START ?? 1)
const OPERATIONS = 40

/** Sends what `from` has and `to` lacks; now and then twice, now and then an older state again. */
function deliver(from: TestPeer, to: TestPeer, random: Random): void {
  const update = Y.encodeStateAsUpdate(from.doc, random() < 0.2 ? undefined : Y.encodeStateVector(to.doc))
  Y.applyUpdate(to.doc, update)
  if (random() < 0.2) Y.applyUpdate(to.doc, update)
}

function runSeed(seed: number): { peers: TestPeer[]; log: string[] } {
  const random = createRandom(seed)
  const count = 2 + Math.floor(random() * 7)
  const peers = Array.from({ length: count }, (_, index) =>
    buildPeer(testId('u', index + 1), { clientId: 10 + index, random }),
  )
  const log: string[] = []
  for (let operation = 0; operation < OPERATIONS; operation++) {
    const index = Math.floor(random() * count)
    const peer = peers[index]
    if (!peer) continue
    log.push(`${index}: ${editSomething(peer, random)}`)
    const partner = pick(random, peers)
    if (partner && partner !== peer && random() < 0.4) deliver(peer, partner, random)
  }
  const [hub, ...others] = peers
  if (!hub) throw new Error('no peers')
  for (const other of others) deliver(other, hub, random)
  for (const other of others) deliver(hub, other, random)
  return { peers, log }
}

describe(`incident documents, seeds ${FIRST_SEED} to ${FIRST_SEED + SEEDS - 1}`, () => {
  it('[DOC-10] converge to one acyclic tree in which every hypothesis that is not removed is reachable', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      const { peers, log } = runSeed(seed)
      const story = `seed ${seed}\n${log.join('\n')}`
      const [first, ...others] = peers.map(({ doc }) => projectIncident(doc))
      for (const other of others) expect(other, story).toEqual(first)
      const view = readIncident(peers[0]?.doc ?? new Y.Doc())
      const current = [...view.hypotheses.values()].filter(({ removed }) => !removed)
      // The projection walks down from the top level, so a ring or an unreachable node would be missing from it.
      expect(first?.hypotheses.length, story).toBe(current.length)
      for (const { doc } of peers) expect(doc.store.pendingStructs, story).toBeNull()
      // What Yjs leaves of a surrogate pair that was cut in two.
      expect(JSON.stringify(first), `[DOC-21] ${story}`).not.toContain('\ufffd')
    }
  }, 600_000)

  it('[DOC-16] are read the same by who follows them and by who reads everything', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 20; seed++) {
      const random = createRandom(seed)
      const peers = [1, 2].map((index) => buildPeer(testId('u', index), { clientId: 10 + index, random }))
      const [ana, bo] = peers as [TestPeer, TestPeer]
      const reader = createIncidentReader(bo.doc)
      for (let operation = 0; operation < OPERATIONS; operation++) {
        const done = editSomething(random() < 0.5 ? ana : bo, random)
        if (random() < 0.5) deliver(ana, bo, random)
        if (random() < 0.3) deliver(bo, ana, random)
        if (random() < 0.5) continue
        const { view, fresh } = { view: reader.view(), fresh: readIncident(bo.doc) }
        expect(view, `seed ${seed}: ${done}`).toEqual(fresh)
        expect(projectIncident(bo.doc, view), `seed ${seed}: ${done}`).toEqual(projectIncident(bo.doc))
      }
    }
  }, 600_000)

  it('[DOC-7] pass the guard with everything that the editor writes', () => {
    for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 20; seed++) {
      const random = createRandom(seed)
      const userId = testId('u', 1)
      const peer = buildPeer(userId, { clientId: 10, random })
      const guard = buildPeer(userId, { clientId: 11 }).doc
      for (let operation = 0; operation < OPERATIONS; operation++) {
        const done = editSomething(peer, random)
        const watch = watchChange(guard, { userId, isModerator: false })
        Y.applyUpdate(guard, Y.encodeStateAsUpdate(peer.doc, Y.encodeStateVector(guard)))
        expect(watch.finish(), `seed ${seed}: ${done}`).toBeNull()
      }
    }
  }, 600_000)
})
