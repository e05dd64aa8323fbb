// Keeps the automatic items of open incidents decided: looks again when a check, the backend's rows or the document changes, and
// when time alone changes a verdict. Knows no documents and no sockets.

import { type CheckSummary, toHealth } from '@watchroom/shared/health'
import type { DodVerdict } from '@watchroom/shared/incidents'
import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import type { Feed, FeedListener } from '../polling/contract.ts'
import type { DefinitionOfDone, DodItem, WatchedIncident } from './contract.ts'
import { evaluateScript, type Subject, type Subjects } from './evaluateScript.ts'
import type { SubjectRows } from './subjectRows.ts'

/** States of components, config items and insights are read this often while an item is about one. */
const ROWS_MS = 5_000
/** Verdicts are told anew at least this often, so that readers know that somebody still looks. */
const TELL_MS = 5_000
/** What changes together is looked at once. */
const GATHER_MS = 50

export interface DefinitionOfDoneDeps {
  readonly checks: Feed<CheckSummary>
  readonly rows: SubjectRows
  readonly clock: Clock
  readonly logger: Logger
}

interface Watch {
  readonly isAbout: (checkIds: ReadonlySet<string> | null) => boolean
  readonly look: () => void
  readonly close: () => void
}

export function createDefinitionOfDone(deps: DefinitionOfDoneDeps): DefinitionOfDone {
  const { clock, logger } = deps
  const checks = new Map<string, CheckSummary>()
  let checksAsOf = 0
  const watches = new Map<string, Watch>()
  const listeners = new Map<string, Set<FeedListener<DodVerdict>>>()
  const told = new Map<string, { asOf: number; verdicts: readonly DodVerdict[] }>()

  const tell = (incidentId: string, verdicts: readonly DodVerdict[]): void => {
    const asOf = clock.now()
    told.set(incidentId, { asOf, verdicts })
    for (const listener of listeners.get(incidentId) ?? []) {
      listener.onRead({ kind: 'all', asOf, droppedRows: 0, rows: verdicts })
    }
  }

  const stopListening = deps.checks.listen({
    onRead: (read) => {
      checksAsOf = read.asOf
      if (read.kind === 'all') checks.clear()
      else for (const id of read.removed) checks.delete(id)
      for (const row of read.rows) checks.set(row.id, row)
      const changed = read.kind === 'all' ? null : new Set([...read.removed, ...read.rows.map(({ id }) => id)])
      for (const { isAbout, look } of watches.values()) if (isAbout(changed)) look()
    },
    // Old states stay what they are, but grow no older: nobody knows what has been since.
    onProblem: () => undefined,
  })

  const watch = (incident: WatchedIncident): (() => void) => {
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
      const check = item.checkId === null ? undefined : checks.get(item.checkId)
      const rowOf = (id: string | null): Subject | undefined => {
        const row = id === null ? undefined : subjects.get(id)
        return row && areRowsAway ? { ...row, knownUntil: rowsReadAt } : row
      }
      const found = {
        check: check && toSubject(check, deps.checks.problem() === null ? null : checksAsOf),
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
      tell(incident.id, verdicts)
      momentTimer.set(evaluate, Math.max(GATHER_MS, nextAt - now))
    }

    const write = (evidenceId: string, done: boolean): void => {
      incident.setDone(evidenceId, done).catch((error: unknown) => {
        // The document is closing; whoever opens it next decides anew.
        logger.info({ err: error, incidentId: incident.id, evidenceId }, 'verdict not written')
      })
    }

    /** The board's source is read at its full rate only while somebody needs it. */
    const watchChecks = (): void => {
      const isNeeded = items.some(({ checkId }) => checkId !== null)
      if (isNeeded && !unwatchChecks) unwatchChecks = deps.checks.watch()
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
      // A document that closes late must not end the watch of the one opened after it.
      if (watches.get(incident.id) !== self) return
      watches.delete(incident.id)
      told.delete(incident.id)
    }
    const isAbout = (checkIds: ReadonlySet<string> | null): boolean =>
      items.some(({ checkId }) => checkId !== null && (checkIds === null || checkIds.has(checkId)))
    const self: Watch = { isAbout, look, close }
    watches.get(incident.id)?.close()
    watches.set(incident.id, self)
    return close
  }

  return {
    watch,

    feed: (incidentId) => ({
      freshForMs: 3 * TELL_MS,
      problem: () => null,
      listen: (listener) => {
        const all = listeners.get(incidentId) ?? new Set()
        listeners.set(incidentId, all.add(listener))
        const last = told.get(incidentId)
        // An incident that nobody has open has no verdicts; the first opened document brings them.
        listener.onRead({ kind: 'all', asOf: last?.asOf ?? clock.now(), droppedRows: 0, rows: last?.verdicts ?? [] })
        return () => {
          all.delete(listener)
          if (all.size === 0) listeners.delete(incidentId)
        }
      },
      watch: () => () => undefined,
      wake: () => watches.get(incidentId)?.look(),
      close: () => undefined,
    }),

    close: () => {
      for (const { close } of watches.values()) close()
      stopListening()
    },
  }
}

/** Undefined for a check whose agent is silent: what that one said last is not how the check is. */
function toSubject(check: CheckSummary, knownUntil: number | null): Subject | undefined {
  if (typeof check.unknown_since === 'string') return undefined
  const since = Date.parse(check.last_transition_time ?? '')
  return {
    id: check.id,
    name: check.name,
    status: check.status ?? '',
    type: check.type,
    health: toHealth(check),
    severity: check.severity ?? '',
    labels: check.labels,
    since: Number.isNaN(since) ? null : since,
    knownUntil,
  }
}
