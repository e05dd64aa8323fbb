// Decides the automatic items of one incident: looks again when a check, the backend's rows or the document changes, and when time
// alone changes a verdict.

import type { DodVerdict } from '@watchroom/shared/incidents'
import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import type { DodItem, WatchedIncident } from './contract.ts'
import { evaluateScript, type Subject, type Subjects } from './evaluateScript.ts'
import type { SubjectRows } from './subjectRows.ts'

/** States of components, config items and insights are read this often while an item is about one. */
const ROWS_MS = 5_000
/** Verdicts are told anew at least this often, so that readers know that someone still looks. */
export const TELL_MS = 5_000
/** What changes together is looked at once. */
const GATHER_MS = 50

export interface IncidentWatch {
  /** Whether an item hangs on one of these checks; null for any check. */
  readonly isAbout: (checkIds: ReadonlySet<string> | null) => boolean
  readonly look: () => void
  readonly close: () => void
}

export interface IncidentWatchDeps {
  readonly checks: {
    readonly find: (id: string) => Subject | undefined
    /** Counts someone who needs them. */
    readonly watch: () => () => void
  }
  readonly rows: SubjectRows
  readonly clock: Clock
  readonly logger: Logger
  readonly tell: (verdicts: readonly DodVerdict[]) => void
}

export function watchIncident(incident: WatchedIncident, deps: IncidentWatchDeps): IncidentWatch {
  const { checks, clock, logger } = deps
  let items = incident.items()
  const changeTimer = createTimer(clock)
  const lookTimer = createTimer(clock)
  const momentTimer = createTimer(clock)
  const rowsTimer = createTimer(clock)
  let subjects = new Map<string, Subject>()
  let rowsReadAt = 0
  let areRowsAway = false
  let unwatchChecks: (() => void) | null = null
  let reads = 0
  let isClosed = false

  const subjectsOf = (item: DodItem): Subjects => {
    const rowOf = (id: string | null): Subject | undefined => {
      const row = id === null ? undefined : subjects.get(id)
      return row && areRowsAway ? { ...row, knownUntil: rowsReadAt } : row
    }
    const found = {
      check: item.checkId === null ? undefined : checks.find(item.checkId),
      component: rowOf(item.componentId),
      config: rowOf(item.configId),
      analysis: rowOf(item.analysisId),
    }
    return Object.fromEntries(Object.entries(found).filter(([, subject]) => subject !== undefined))
  }

  const evaluate = (): void => {
    const now = clock.now()
    watchChecks()
    const verdicts: DodVerdict[] = []
    let nextAt = now + TELL_MS
    for (const item of items) {
      const { nextAt: at, ...verdict } = evaluateScript(item.script, subjectsOf(item), now)
      verdicts.push({ id: item.id, ...verdict })
      nextAt = Math.min(nextAt, at ?? nextAt)
      if (verdict.done !== null && verdict.done !== item.done) write(item.id, verdict.done)
    }
    deps.tell(verdicts)
    momentTimer.set(evaluate, Math.max(GATHER_MS, nextAt - now))
  }

  const write = (evidenceId: string, done: boolean): void => {
    incident.setDone(evidenceId, done).catch((error: unknown) => {
      // The document is closing; whoever opens it next decides anew.
      logger.info({ err: error, incidentId: incident.id, evidenceId }, 'verdict not written')
    })
  }

  /** The board's source is read at its full rate only while someone needs it. */
  const watchChecks = (): void => {
    const isNeeded = items.some(({ checkId }) => checkId !== null)
    if (isNeeded && !unwatchChecks) unwatchChecks = checks.watch()
    if (!isNeeded) {
      unwatchChecks?.()
      unwatchChecks = null
    }
  }

  const readRows = async (): Promise<void> => {
    const idsOf = (key: 'componentId' | 'configId' | 'analysisId'): string[] => [
      ...new Set(items.flatMap((item) => item[key] ?? [])),
    ]
    const wanted = { component: idsOf('componentId'), config: idsOf('configId'), analysis: idsOf('analysisId') }
    const startedAt = clock.now()
    const number = ++reads
    try {
      const found = await deps.rows.read(wanted)
      // Of a read that a later one overtook, the answer is about items that are no longer the ones.
      if (isClosed || number !== reads) return
      subjects = found
      rowsReadAt = startedAt
      areRowsAway = false
      look()
    } catch (error) {
      if (isClosed || number !== reads) return
      areRowsAway = true
      // What was read last stays; a verdict is not taken back because the backend is away.
      logger.info({ err: error, incidentId: incident.id }, 'states for the definition of done not read')
    }
    rowsTimer.set(() => void readRows(), incident.rowsMs ?? ROWS_MS)
  }

  const look = (): void => {
    if (!lookTimer.isSet()) lookTimer.set(evaluate, GATHER_MS)
  }

  /** Most changes of a document are letters, and reading all of it is not free. */
  const readItems = (): void => {
    const next = incident.items()
    if (JSON.stringify(next) === JSON.stringify(items)) return
    items = next
    look()
    rowsTimer.set(() => void readRows(), 0)
  }
  const stop = incident.onChange(() => {
    if (!changeTimer.isSet()) changeTimer.set(readItems, GATHER_MS)
  })
  void readRows()
  look()

  const close = (): void => {
    isClosed = true
    stop()
    unwatchChecks?.()
    changeTimer.clear()
    lookTimer.clear()
    momentTimer.clear()
    rowsTimer.clear()
  }
  const isAbout = (checkIds: ReadonlySet<string> | null): boolean =>
    items.some(({ checkId }) => checkId !== null && (checkIds === null || checkIds.has(checkId)))
  return { isAbout, look, close }
}
