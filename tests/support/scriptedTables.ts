import type { IncidentRows } from '@watchroom/shared/collab'

import type { RowWrite, WriteOutcome } from '../../gateway/src/collab/documentKind.ts'
import type { IncidentTables } from '../../gateway/src/collab/documents/incident/incidentTables.ts'

export interface SentWrite {
  readonly write: RowWrite
  readonly actor: string | null
}

/** What becomes of one write. `lost`: it happened, but the answer did not arrive. */
export type Fate = WriteOutcome | { readonly kind: 'lost' }

/** Rows of one incident in memory, behind answers that a test chooses. */
export interface ScriptedTables extends IncidentTables {
  readonly sent: SentWrite[]
  readonly reads: () => number
  rows: IncidentRows
  /** Asked for each write; 'written' is carried out on the rows. */
  answer: (write: RowWrite) => Fate
  /** Ids that no other table holds. */
  readonly missing: Set<string>
  /** While set, reads fail with it. */
  readFailure: Error | null
  /** While true, answers wait for `release`; the rows change at once. */
  hold: boolean
  release(): void
}

export function createScriptedTables(rows: IncidentRows): ScriptedTables {
  let waiting: (() => void)[] = []
  let reads = 0
  const tables: ScriptedTables = {
    sent: [],
    reads: () => reads,
    rows: structuredClone(rows),
    answer: () => ({ kind: 'written' }),
    missing: new Set(),
    readFailure: null,
    hold: false,
    release: () => {
      const going = waiting
      waiting = []
      for (const go of going) go()
    },
    read: async () => {
      reads += 1
      if (tables.readFailure) throw tables.readFailure
      const copy = structuredClone(tables.rows)
      await held()
      return copy
    },
    write: async (_incidentId, write, actor) => {
      tables.sent.push({ write, actor })
      const fate = tables.answer(write)
      const outcome = fate.kind === 'written' || fate.kind === 'lost' ? carryOut(tables.rows, write) : fate
      await held()
      return fate.kind === 'lost' ? { kind: 'later', message: 'no answer in time' } : outcome
    },
  }
  const held = (): Promise<void> => (tables.hold ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve())
  return tables
}

function carryOut(rows: IncidentRows, write: RowWrite): WriteOutcome {
  if (write.entity === 'incidents') {
    if (write.kind === 'update') Object.assign(rows.incident, write.row)
    return { kind: 'written' }
  }
  const list = rows[write.entity as 'hypotheses' | 'evidences' | 'comments'] as { id: string }[]
  const index = list.findIndex(({ id }) => id === write.id)
  if (write.kind === 'delete') {
    if (index >= 0) list.splice(index, 1)
    return { kind: 'written' }
  }
  if (index < 0 && write.kind === 'update') return { kind: 'missing' }
  const next = { ...list[index], ...write.row, id: write.id }
  if (index < 0) list.push(next)
  else list[index] = next
  return { kind: 'written' }
}
