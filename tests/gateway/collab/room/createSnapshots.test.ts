import { pino } from 'pino'
import { expect, it } from 'vitest'
import * as Y from 'yjs'

import { FakeClock } from '#support/fakeClock.ts'
import { createMemoryDocumentLog } from '#support/memoryDocumentLog.ts'

import { createSnapshots } from '../../../../gateway/src/collab/room/createSnapshots.ts'

it('keeps the updates, and the gateway running, when a snapshot cannot be read back', async () => {
  const lines: string[] = []
  const log = createMemoryDocumentLog()
  const doc = new Y.Doc()
  doc.getMap('meta').set('schema', 1)
  const snapshots = createSnapshots({
    name: 'incident/i1',
    epoch: 'epoch-1',
    log,
    clock: new FakeClock(),
    logger: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
    doc,
    kind: {
      read: () => {
        throw new Error('an unknown type')
      },
    },
    rows: () => ({}),
    encode: () => Y.encodeStateAsUpdate(doc),
    sequence: () => 2,
    savedUpTo: 1,
    onSaved: () => undefined,
  })
  await snapshots.save()
  expect(log.snapshots).toEqual([])
  expect(lines).toEqual([expect.stringContaining('an unknown type')])
})
