import type { DocumentLog, LogEntry, StoredDocument } from '../../gateway/src/collab/log/createDocumentLog.ts'

/** A document log that keeps everything in memory and fails when told to. */
export interface MemoryDocumentLog extends DocumentLog {
  readonly entries: LogEntry[]
  readonly snapshots: { upTo: number; state: Uint8Array }[]
  /** While set, appends are refused with this error. */
  failWith: Error | null
  /** While true, appends wait; `release` lets them go in their order. */
  hold: boolean
  release(): void
}

export function createMemoryDocumentLog(): MemoryDocumentLog {
  const stored = new Map<string, { epoch: string; clients: Map<number, string> }>()
  let held: (() => void)[] = []
  const log: MemoryDocumentLog = {
    entries: [],
    snapshots: [],
    failWith: null,
    hold: false,
    release: () => {
      const going = held
      held = []
      for (const go of going) go()
    },
    load: async (document): Promise<StoredDocument | null> => {
      const found = stored.get(document)
      if (!found) return null
      const snapshot = log.snapshots.at(-1) ?? null
      const updates = log.entries.filter(
        (entry) => entry.document === document && entry.sequence > (snapshot?.upTo ?? 0),
      )
      return { epoch: found.epoch, snapshot, updates, clients: new Map(found.clients) }
    },
    start: async (document, epoch, seed) => {
      if (stored.has(document)) return false
      stored.set(document, { epoch, clients: new Map() })
      log.entries.push({ document, epoch, sequence: 1, update: seed, userId: null, newClientIds: [] })
      return true
    },
    append: (entry) =>
      new Promise((resolve, reject) => {
        const write = (): void => {
          if (log.failWith) return reject(log.failWith)
          log.entries.push(entry)
          for (const id of entry.newClientIds)
            if (entry.userId) stored.get(entry.document)?.clients.set(id, entry.userId)
          resolve()
        }
        if (log.hold) held.push(write)
        else write()
      }),
    saveSnapshot: async (_document, _epoch, upTo, state) => {
      log.snapshots.push({ upTo, state })
    },
    replace: async (document, _from, { epoch, seed }) => {
      stored.set(document, { epoch, clients: new Map() })
      log.entries.length = 0
      log.snapshots.length = 0
      log.entries.push({ document, epoch, sequence: 1, update: seed, userId: null, newClientIds: [] })
    },
    close: async () => {},
  }
  return log
}
