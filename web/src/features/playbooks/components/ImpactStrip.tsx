import { useQuery } from '@tanstack/react-query'
import { isEnded, type PlaybookRun } from '@watchroom/shared/playbooks'

import { useMissing } from '../../../api/backendFacts.ts'
import { useSession } from '../../../api/session.tsx'
import { useScreenClock, useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { describeImpact, toSegments } from '../impact.ts'
import type { PlaybookTarget } from '../queries.ts'
import { INITIALIZATION, type Step, targetOf } from '../runParts.ts'
import { CONFIG_HEALTH_MS, healthQuery } from '../runQueries.ts'

import styles from '../playbooks.module.css'

const TICK_MS = 2_000
/** Time before and after the run, to compare. */
const MARGIN_MS = 60_000

/** How often results of a check, or the recorded history of others, are read while the run is active. */
const READ_MS = { check: 2_000, component: 10_000, config: 10_000 } as const

const NOTHING: PlaybookTarget = { kind: 'check', id: '' }

interface ImpactStripProps {
  run: PlaybookRun
  steps: readonly Step[]
  selectedId: string | undefined
}

/** The health of the check, component or catalog item that a run runs on, on one time axis with its steps. Did it help? */
export function ImpactStrip({ run, steps, selectedId }: ImpactStripProps) {
  const now = useServerNow(TICK_MS)
  const { serverNow } = useScreenClock()
  const target = targetOf(run)
  const from = parseMoment(run.start_time) - MARGIN_MS
  const last = isEnded(run.status) ? parseMoment(run.end_time ?? run.start_time) + MARGIN_MS : Number.POSITIVE_INFINITY
  const to = Math.min(now, last)
  const isConfigKnown = useConfigHealthKnown(from)
  const isShown = target !== null && !Number.isNaN(from) && (target.kind !== 'config' || isConfigKnown)
  const { data, isError } = useQuery({
    ...healthQuery(target ?? NOTHING, isShown ? from : 0, () => Math.min(serverNow(), last)),
    enabled: isShown,
    refetchInterval: now > to ? false : READ_MS[target?.kind ?? 'check'],
  })
  // People who may not see the health are not told that there is none.
  if (!isShown || isError) return null
  const marks = (data ?? []).filter(({ at }) => at <= to)
  const place = (at: number): string => `${((Math.min(to, Math.max(from, at)) - from) / (to - from)) * 100}%`
  return (
    <figure className={styles['impact']}>
      <figcaption>{data === undefined ? target.name : describeImpact(target.name, marks, steps)}</figcaption>
      <div className={styles['lane']} aria-hidden>
        {steps
          .filter(({ id, start_time: began }) => id !== INITIALIZATION && began)
          .map((step) => (
            <span
              key={step.id}
              title={step.name}
              data-status={step.status}
              data-selected={step.id === selectedId || undefined}
              style={toSpan(
                place,
                parseMoment(step.start_time),
                isEnded(step.status) ? parseMoment(step.end_time) : to,
              )}
            />
          ))}
      </div>
      <div className={styles['lane']} data-kind="health" aria-hidden>
        {toSegments(marks, to).map(({ at, until, health }) => (
          <span key={at} data-health={health} style={toSpan(place, at, until)} />
        ))}
      </div>
    </figure>
  )
}

/** Whether the history of catalog items goes back that far, and may be read. */
function useConfigHealthKnown(from: number): boolean {
  const { can } = useSession()
  const { serverNow } = useScreenClock()
  const isKept = useMissing('notificationReasons') === null
  return isKept && can('read', 'notifications') && from > serverNow() - CONFIG_HEALTH_MS
}

const toSpan = (place: (at: number) => string, from: number, to: number) => ({
  left: place(from),
  right: `calc(100% - ${place(Number.isNaN(to) ? from : to)})`,
})
