// Keeps the automatic items of open incidents decided, and tells their verdicts. Knows no documents and no sockets.

import { type CheckSummary, toHealth } from '@watchroom/shared/health'
import type { DodVerdict } from '@watchroom/shared/incidents'
import type { Clock } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import type { Feed, FeedListener } from '../polling/contract.ts'
import type { DefinitionOfDone, WatchedIncident } from './contract.ts'
import type { Subject } from './evaluateScript.ts'
import type { SubjectRows } from './subjectRows.ts'
import { type IncidentWatch, TELL_MS, watchIncident } from './watchIncident.ts'

export interface DefinitionOfDoneDeps {
  readonly checks: Feed<CheckSummary>
  readonly rows: SubjectRows
  readonly clock: Clock
  readonly logger: Logger
}

export function createDefinitionOfDone(deps: DefinitionOfDoneDeps): DefinitionOfDone {
  const { clock, logger } = deps
  const checks = new Map<string, CheckSummary>()
  let checksAsOf = 0
  const watches = new Map<string, IncidentWatch>()
  const listeners = new Map<string, Set<FeedListener<DodVerdict>>>()
  const told = new Map<string, { asOf: number; verdicts: readonly DodVerdict[] }>()

  const tell = (incidentId: string, verdicts: readonly DodVerdict[]): void => {
    const asOf = clock.now()
    told.set(incidentId, { asOf, verdicts })
    for (const listener of listeners.get(incidentId) ?? []) {
      listener.onRead({ kind: 'all', asOf, droppedRows: 0, rows: verdicts })
    }
  }

  const findCheck = (id: string): Subject | undefined => {
    const check = checks.get(id)
    return check && toSubject(check, deps.checks.problem() === null ? null : checksAsOf)
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
    const watching = watchIncident(incident, {
      checks: { find: findCheck, watch: deps.checks.watch },
      rows: deps.rows,
      clock,
      logger,
      tell: (verdicts) => tell(incident.id, verdicts),
    })
    watches.get(incident.id)?.close()
    watches.set(incident.id, watching)
    return () => {
      watching.close()
      // A document that closes late must not end the watch of the one opened after it.
      if (watches.get(incident.id) !== watching) return
      watches.delete(incident.id)
      told.delete(incident.id)
    }
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
