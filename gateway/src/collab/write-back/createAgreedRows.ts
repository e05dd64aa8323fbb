import type { DocumentRows, EntityRow } from '../documentKind.ts'
import type { Agreement, BaseStore } from './createBaseStore.ts'
import { type Base, hasSameFields, toBase } from './planWrites.ts'

/** The rows that document and backend last agreed on. */
export interface AgreedRows {
  readonly base: Base
  /** Another number whenever they are others. */
  version(): number
  rows(): DocumentRows
  /** What is to be agreed on so that `actual` is. */
  differences(actual: DocumentRows): Agreement[]
  agree(changes: readonly Agreement[]): Promise<void>
}

export function createAgreedRows(store: BaseStore, start: DocumentRows): AgreedRows {
  const base = toBase(start)
  let version = 0

  return {
    base,
    version: () => version,
    rows: () => Object.fromEntries(Array.from(base, ([entity, rows]) => [entity, [...rows.values()]])),

    differences: (actual) => {
      const changes: Agreement[] = []
      for (const [entity, rows] of toBase(actual)) {
        const former = base.get(entity) ?? new Map<string, EntityRow>()
        for (const [id, row] of rows) {
          if (!hasSameFields(former.get(id), row)) changes.push({ entity, id, row })
          // The same under another object: the next look need not compare its fields again.
          else former.set(id, row)
        }
        for (const id of former.keys()) if (!rows.has(id)) changes.push({ entity, id, row: null })
      }
      return changes
    },

    agree: async (changes) => {
      version += changes.length
      for (const { entity, id, row } of changes) {
        if (row === null) base.get(entity)?.delete(id)
        else base.get(entity)?.set(id, row)
      }
      if (changes.length > 0) await store.save(changes)
    },
  }
}
