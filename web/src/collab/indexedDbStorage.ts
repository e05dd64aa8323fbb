import { clearDocument, IndexeddbPersistence, storeState } from 'y-indexeddb'
import type * as Y from 'yjs'

import { systemClock } from '../live/clock.ts'
import { forgetPage } from './cachePage.ts'
import { createUpdateBuffer } from './createUpdateBuffer.ts'
import type { DocumentStorage, StoredKey } from './documentStorage.ts'

const PREFIX = 'watchroom-document'
const NOTE = 'note'

const toName = ({ userId, incidentId, epoch }: StoredKey): string => [PREFIX, userId, incidentId, epoch].join('/')

function tryParseName(name: string): StoredKey | null {
  const [prefix, userId, incidentId, epoch] = name.split('/')
  return prefix === PREFIX && userId && incidentId && epoch ? { userId, incidentId, epoch } : null
}

/** The database names are the only list of what is stored, so no second list can disagree. */
async function listStored(): Promise<{ name: string; key: StoredKey }[]> {
  const databases = await indexedDB.databases()
  return databases.flatMap(({ name = '' }) => {
    const key = tryParseName(name)
    return key ? [{ name, key }] : []
  })
}

async function clear(isMeant: (key: StoredKey) => boolean): Promise<void> {
  const stored = await listStored()
  await Promise.all(stored.filter(({ key }) => isMeant(key)).map(({ name }) => clearDocument(name)))
}

export const indexedDbStorage: DocumentStorage = {
  find: async (userId, incidentId) => {
    await clear((key) => key.userId !== userId)
    const stored = await listStored()
    return stored.find(({ key }) => key.userId === userId && key.incidentId === incidentId)?.key.epoch ?? null
  },

  open: async (key, doc) => {
    const name = toName(key)
    const persistence = new IndexeddbPersistence(name, doc)
    const buffer = createUpdateBuffer({
      clock: systemClock,
      // oxlint-disable-next-line no-underscore-dangle -- the package has no other way to store a change; the name is part of its types
      store: (update) => persistence._storeUpdate(update, null),
      compact: () => void storeState(persistence).catch(() => undefined),
    })
    // The package would store every change separately, and merge pieces only after a second without typing.
    // oxlint-disable-next-line no-underscore-dangle -- see above
    doc.off('update', persistence._storeUpdate)
    const keep = (update: Uint8Array, origin: unknown, _doc: Y.Doc, { local }: Y.Transaction): void => {
      if (origin !== persistence) buffer.add(update, local)
    }
    doc.on('update', keep)
    const letGo = async (): Promise<void> => {
      doc.off('update', keep)
      buffer.close()
      await persistence.destroy()
    }
    await persistence.whenSynced
    // oxlint-disable-next-line no-underscore-dangle -- see above
    buffer.start(persistence._dbsize)
    // Another tab deletes the document: close it here too, or every further change would throw.
    if (persistence.db) persistence.db.onversionchange = () => void letGo()
    return {
      readNote: () => persistence.get(NOTE),
      writeNote: async (note) => {
        await persistence.set(NOTE, note as unknown as string)
      },
      close: async () => {
        buffer.flush()
        await letGo()
      },
      drop: async () => {
        await letGo()
        await clearDocument(name)
      },
    }
  },

  remove: (userId, incidentId) => clear((key) => key.userId === userId && key.incidentId === incidentId),
}

/** For signing out: deletes all incident documents in this browser and the cached page, so that the next person does not find them. */
export async function deleteDocuments(): Promise<void> {
  try {
    await Promise.all([clear(() => true), forgetPage()])
  } catch {
    // Storage is forbidden, so nothing was stored.
  }
}
