import { clearDocument, IndexeddbPersistence } from 'y-indexeddb'

import { wipeKeptDrafts } from '../preferences/keptDrafts.ts'
import type { DocumentStorage, KeptKey } from './documentStorage.ts'
import { forgetPage } from './keepPage.ts'

const PREFIX = 'watchroom-document'
const NOTE = 'note'

const toName = ({ userId, incidentId, epoch }: KeptKey): string => [PREFIX, userId, incidentId, epoch].join('/')

function tryParseName(name: string): KeptKey | null {
  const [prefix, userId, incidentId, epoch] = name.split('/')
  return prefix === PREFIX && userId && incidentId && epoch ? { userId, incidentId, epoch } : null
}

/** Names of the databases are the one list of what is kept: nothing beside it could disagree. */
async function listKept(): Promise<{ name: string; key: KeptKey }[]> {
  const databases = await indexedDB.databases()
  return databases.flatMap(({ name = '' }) => {
    const key = tryParseName(name)
    return key ? [{ name, key }] : []
  })
}

export const indexedDbStorage: DocumentStorage = {
  find: async (userId, incidentId) => {
    const kept = await listKept()
    await Promise.all(kept.filter(({ key }) => key.userId !== userId).map(({ name }) => clearDocument(name)))
    return kept.find(({ key }) => key.userId === userId && key.incidentId === incidentId)?.key.epoch ?? null
  },

  open: async (key, doc) => {
    const name = toName(key)
    const persistence = new IndexeddbPersistence(name, doc)
    await persistence.whenSynced
    // Another tab forgets the document: let go of it here too, or every further change would throw.
    if (persistence.db) persistence.db.onversionchange = () => void persistence.destroy()
    return {
      readNote: () => persistence.get(NOTE),
      writeNote: async (note) => {
        await persistence.set(NOTE, note as unknown as string)
      },
      close: () => persistence.destroy(),
      drop: async () => {
        await persistence.destroy()
        await clearDocument(name)
      },
    }
  },

  wipe: async () => {
    const kept = await listKept()
    await Promise.all(kept.map(({ name }) => clearDocument(name)))
  },
}

/** Forgets all incident documents, the page around them and half-written texts that this browser keeps. For the end of a session: the next person must not find them. */
export async function wipeKeptDocuments(): Promise<void> {
  wipeKeptDrafts()
  try {
    await Promise.all([indexedDbStorage.wipe(), forgetPage()])
  } catch {
    // Storage is forbidden here: nothing was kept.
  }
}
