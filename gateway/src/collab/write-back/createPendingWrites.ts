// What is still to be written: always the difference between the document and the rows both sides last agreed on, less what the
// backend has refused.

import type { Saved } from '@watchroom/shared/collab'

import type { DocumentKind, DocumentReader, DocumentRows, RowWrite } from '../documentKind.ts'
import type { AgreedRows } from './createAgreedRows.ts'
import { type DeferredWrites, nameOf } from './createDeferredWrites.ts'
import { planWrites } from './planWrites.ts'

export interface PendingWrites {
  /** Everything that differs, and of it what was not refused. */
  list(): RowWrite[]
  /** The backend will never take it: an unchanged write is not repeated. */
  refuse(write: RowWrite, message: string): void
  /** How many of what differs were refused. */
  refusals(): number
  /** What was refused may be taken now. */
  forgetRefusals(): void
  /** What people should know. */
  problems(): Saved['problems']
}

interface Refusal {
  /** Of the write that was refused. */
  readonly key: string
  readonly entity: string
  readonly id: string
  readonly message: string
}

export interface PendingWritesDeps {
  readonly id: string
  readonly kind: Pick<DocumentKind, 'entities'>
  readonly reader: Pick<DocumentReader, 'rows' | 'isKept'>
  readonly agreed: AgreedRows
  readonly deferred: DeferredWrites
}

export function createPendingWrites(deps: PendingWritesDeps): PendingWrites {
  const { agreed, deferred, kind, reader } = deps
  /** By entity and id. */
  const refused = new Map<string, Refusal>()
  /** The newest plan, which stays right as long as neither side of it changes. */
  let planned: { rows: DocumentRows; version: number; writes: readonly RowWrite[] } | null = null

  const plan = (): readonly RowWrite[] => {
    const rows = reader.rows()
    if (planned?.rows !== rows || planned.version !== agreed.version()) {
      const writes = planWrites(deps.id, kind.entities, agreed.base, rows, reader.isKept)
      planned = { rows, version: agreed.version(), writes }
    }
    return planned.writes
  }

  const list = (): RowWrite[] => {
    const all = plan()
    const keys = new Set(all.map(({ key }) => key))
    for (const [name, { key }] of refused) if (!keys.has(key)) refused.delete(name)
    deferred.keepOnly(new Set(all.map(nameOf)))
    return all.filter((write) => !refused.has(nameOf(write)))
  }

  return {
    list,
    refusals: () => {
      // Writes that were given up are forgotten first.
      list()
      return refused.size
    },
    refuse: (write, message) => {
      const { entity, id, key } = write
      refused.set(nameOf(write), { key, entity, id, message })
    },
    forgetRefusals: () => refused.clear(),
    problems: () => [
      ...Array.from(refused.values(), ({ entity, id, message }) => ({ entity, id, message })),
      ...deferred.problems(),
    ],
  }
}
