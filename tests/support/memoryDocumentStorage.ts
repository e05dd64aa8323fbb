import * as Y from 'yjs'

import type { DocumentStorage, KeptKey, KeptNote } from '../../web/src/collab/documentStorage.ts'

/** A browser's storage that outlives pages: open documents again from the same object. */
export interface MemoryDocumentStorage extends DocumentStorage {
  readonly kept: Map<string, { key: KeptKey; updates: Uint8Array[]; note: unknown }>
  /** While set, everything is refused, as in a private window. */
  failWith: Error | null
}

export function createMemoryDocumentStorage(): MemoryDocumentStorage {
  const kept: MemoryDocumentStorage['kept'] = new Map()
  const nameOf = ({ userId, incidentId, epoch }: KeptKey): string => `${userId}/${incidentId}/${epoch}`
  const check = (): void => {
    if (storage.failWith) throw storage.failWith
  }
  const storage: MemoryDocumentStorage = {
    kept,
    failWith: null,
    find: async (userId, incidentId) => {
      check()
      for (const [name, { key }] of kept) if (key.userId !== userId) kept.delete(name)
      return [...kept.values()].find(({ key }) => key.incidentId === incidentId)?.key.epoch ?? null
    },
    open: async (key, doc) => {
      check()
      const entry = kept.get(nameOf(key)) ?? { key, updates: [], note: undefined }
      kept.set(nameOf(key), entry)
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
        writeNote: async (note: KeptNote) => {
          check()
          entry.note = structuredClone(note)
        },
        close,
        drop: async () => {
          await close()
          kept.delete(nameOf(key))
        },
      }
    },
    wipe: async () => kept.clear(),
  }
  return storage
}
