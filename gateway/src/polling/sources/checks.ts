import { type CheckBoardRow, CheckBoardRowSchema, CheckSummaryResponseSchema } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Source, SourceRead } from '../contract.ts'
import { readRows } from '../readRows.ts'
import { readUpstream } from './upstream.ts'
import { readWaitingChecks } from './waitingChecks.ts'

const PATH = '/canary/api/summary'

/** Where the database tells of changes (`platform/databaseWake.ts`) this is only the safety net. */
const INTERVAL_MS = 5_000

export interface ChecksSourceDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  /** Checks that are saved have no row until the backend looks for them, after minutes: then they are shown as waiting. */
  readonly areFirstRunsLate?: () => boolean
}

/** Rows of the health board. Asks with a cursor; a backend that does not know it answers with all rows. */
export function createChecksSource(deps: ChecksSourceDeps): Source<CheckBoardRow> {
  return {
    name: 'checks',
    intervalMs: INTERVAL_MS,
    read: async (signal, cursor) => {
      const read = await readSummary(deps, signal, cursor)
      if (read.kind !== 'all' || deps.areFirstRunsLate?.() !== true) return read
      try {
        const waiting = await readWaitingChecks(deps.backend, signal, deps.clock.now(), read.rows)
        return { ...read, rows: [...read.rows, ...waiting] }
      } catch (error) {
        // Those that run are what the board is for.
        deps.logger.debug({ err: error }, 'new checks cannot be read')
        return read
      }
    },
  }
}

function readSummary(
  deps: ChecksSourceDeps,
  signal: AbortSignal,
  cursor: string | undefined,
): Promise<SourceRead<CheckBoardRow>> {
  const asOf = deps.clock.now()
  const path = cursor === undefined ? PATH : `${PATH}?since=${encodeURIComponent(cursor)}`
  return readUpstream(deps.backend, path, signal, async (response) => {
    const rows: CheckBoardRow[] = []
    const unreadable: string[] = []
    let droppedRows = 0
    const envelope = await readRows(response.body, 'checks_summary', (raw) => {
      const row = CheckBoardRowSchema.safeParse(raw)
      if (row.success) {
        if (!isDeleted(raw)) rows.push(row.data)
        else unreadable.push(row.data.id)
        return
      }
      droppedRows += 1
      const id = readId(raw)
      if (id !== null) unreadable.push(id)
    })
    const answer = CheckSummaryResponseSchema.parse(envelope)
    const facts = { asOf, droppedRows, ...(answer.cursor === undefined ? {} : { cursor: answer.cursor }) }
    if (cursor === undefined || !answer.partial) return { kind: 'all', rows, ...facts }
    // A row that cannot be read any more leaves the board, as it would with a full answer.
    return { kind: 'changes', rows, removed: [...(answer.removed ?? []), ...unreadable], ...facts }
  })
}

/** A backend may still list what was deleted a moment ago. */
function isDeleted(raw: unknown): boolean {
  return typeof raw === 'object' && raw !== null && 'deleted_at' in raw && typeof raw.deleted_at === 'string'
}

function readId(raw: unknown): string | null {
  return typeof raw === 'object' && raw !== null && 'id' in raw && typeof raw.id === 'string' ? raw.id : null
}
