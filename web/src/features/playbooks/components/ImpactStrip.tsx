import { useQuery } from '@tanstack/react-query'
import { isEnded, type PlaybookRun } from '@watchroom/shared/playbooks'

import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { describeImpact, toSegments } from '../impact.ts'
import { INITIALIZATION, type Step, targetOf } from '../runParts.ts'
import { checkResultsQuery } from '../runQueries.ts'

import styles from '../playbooks.module.css'

const TICK_MS = 2_000
/** Before the run began and after it ended: what changed is seen beside what was. */
const MARGIN_MS = 60_000

interface ImpactStripProps {
  run: PlaybookRun
  steps: readonly Step[]
  selectedId: string | undefined
}

/** The results of the check that a run is about, on one time axis with its steps. Did it help? */
export function ImpactStrip({ run, steps, selectedId }: ImpactStripProps) {
  const now = useServerNow(TICK_MS)
  const target = targetOf(run)
  const from = parseMoment(run.start_time) - MARGIN_MS
  const to = isEnded(run.status) ? Math.min(now, parseMoment(run.end_time ?? run.start_time) + MARGIN_MS) : now
  const isShown = target?.kind === 'check' && !Number.isNaN(from)
  const { data = [] } = useQuery({
    ...checkResultsQuery(target?.id ?? '', isShown ? from : 0),
    enabled: isShown,
    refetchInterval: isEnded(run.status) && now > to ? false : TICK_MS,
  })
  if (!isShown) return null
  const results = data.filter(({ at }) => at <= to)
  const place = (at: number): string => `${((Math.min(to, Math.max(from, at)) - from) / (to - from)) * 100}%`
  return (
    <figure className={styles['impact']}>
      <figcaption>{describeImpact(target.name, results, steps)}</figcaption>
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
        {toSegments(results, to).map(({ at, until, isHealthy }) => (
          <span key={at} data-healthy={isHealthy} style={toSpan(place, at, until)} />
        ))}
      </div>
    </figure>
  )
}

const toSpan = (place: (at: number) => string, from: number, to: number) => ({
  left: place(from),
  right: `calc(100% - ${place(Number.isNaN(to) ? from : to)})`,
})
