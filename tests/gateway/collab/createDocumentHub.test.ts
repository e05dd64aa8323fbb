import { Pool } from 'pg'
import { pino } from 'pino'
import { expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'
import { INCIDENT } from '#support/incidentDocument.ts'

import { createDocumentHub } from '../../../gateway/src/collab/createDocumentHub.ts'
import { COMPACTION } from '../../../gateway/src/collab/log/createEpochs.ts'

it('[COLLAB-13] opens nothing any more once all documents were ended', async () => {
  const clock = new FakeClock()
  const pool = new Pool()
  const hub = createDocumentHub({
    pool: () => pool,
    kinds: new Map(),
    clock,
    random: () => 0.5,
    logger: pino({ level: 'silent' }),
    compaction: COMPACTION,
    onAcknowledged: () => {},
    onRejected: () => {},
  })
  const name = `incident/${INCIDENT}`
  await expect(hub.open(name)).rejects.toMatchObject({ code: 'COLLAB_DOCUMENT_NOT_FOUND' })
  await hub.close()
  await expect(hub.open(name)).rejects.toMatchObject({ code: 'COLLAB_NO_ROOM' })
  expect([hub.isOpen(name), clock.pending]).toEqual([false, 0])
})
