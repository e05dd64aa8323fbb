import * as Y from 'yjs'

import type { DocumentStorage, StoredKey, StoredNote } from '../../web/src/collab/documentStorage.ts'

/** A browser's storage that outlives pages: open documents again from the same object. */
export interface MemoryDocumentStorage extends DocumentStorage {
  readonly stored: Map<string, { key: StoredKey; updates: Uint8Array[]; note: unknown }>
  /** While set, everything is refused, as in a private window. */
  failWith: Error | null
}

export function createMemoryDocumentStorage(): MemoryDocumentStorage {
  const stored: MemoryDocumentStorage['stored'] = new Map()
  const nameOf = ({ userId, incidentId, epoch }: StoredKey): string => `${userId}/${incidentId}/${epoch}`
  const check = (): void => {
    if (storage.failWith) throw storage.failWith
  }
  const storage: MemoryDocumentStorage = {
    stored,
    failWith: null,
    find: async (userId, incidentId) => {
      check()
      for (const [name, { key }] of stored) if (key.userId !== userId) stored.delete(name)
      return [...stored.values()].find(({ key }) => key.incidentId === incidentId)?.key.epoch ?? null
    },
    open: async (key, doc) => {
      check()
      const entry = stored.get(nameOf(key)) ?? { key, updates: [], note: undefined }
      stored.set(nameOf(key), entry)
      const origin = {}
      const store = (update: Uint8Array, from: unknown): void => {
        if (from !== origin) entry.updates.push(update)
      }
      Y.transact(doc, () => entry.updates.forEach((update) => Y.applyUpdate(doc, update, origin)), origin, false)
      entry.updates.push(Y.encodeStateAsUpdate(doc))
      doc.on('update', store)
      const close = async (): Promise<void> => doc.off('update', store)
      return {
        readNote: async () => structuredClone(entry.note),
        writeNote: async (note: StoredNote) => {
          check()
          entry.note = structuredClone(note)
        },
        close,
        drop: async () => {
          await close()
          stored.delete(nameOf(key))
        },
      }
    },
    remove: async (userId, incidentId) => {
      for (const [name, { key }] of stored) {
        if (key.userId === userId && key.incidentId === incidentId) stored.delete(name)
      }
    },
  }
  return storage
}
