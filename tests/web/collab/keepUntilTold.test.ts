import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { applyAwarenessUpdate, Awareness, encodeAwarenessUpdate } from 'y-protocols/awareness'
import * as Y from 'yjs'

import { keepUntilTold } from '../../../web/src/collab/keepUntilTold.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('[COLLAB-9] shows whoever is silent in the background until the gateway says that they left', () => {
  const [ana, bo] = [new Awareness(new Y.Doc()), new Awareness(new Y.Doc())]
  keepUntilTold(ana)
  const hear = (): void => applyAwarenessUpdate(ana, encodeAwarenessUpdate(bo, [bo.clientID]), 'gateway')
  bo.setLocalState({ presence: 'active' })
  hear()
  bo.setLocalState({ presence: 'away' })
  hear()
  // The package took the clock of the system when it was loaded: its word of Bo grows old by hand.
  const meta = ana.meta.get(bo.clientID)
  if (meta) meta.lastUpdated -= 90_000
  vi.advanceTimersByTime(10_000)
  expect(ana.getStates().get(bo.clientID)).toEqual({ presence: 'away' })
  bo.setLocalState(null)
  hear()
  expect([...ana.getStates().keys()]).toEqual([ana.clientID])
  for (const each of [ana, bo]) each.destroy()
})
