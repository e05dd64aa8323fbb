import { ownValue } from '@watchroom/shared/kernel'
import { isEnded } from '@watchroom/shared/playbooks'

import { useServerNow } from '../../../ui/clock.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { Tip } from '../../../ui/Tip.tsx'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { isSelectable, spanMs, type Step, toDuration } from '../runParts.ts'
import { RunStatusTag } from './RunStatusTag.tsx'

import styles from '../playbooks.module.css'

interface RunStepsProps {
  steps: readonly Step[]
  selectedId: string | undefined
  onSelect: (id: string) => void
}

/** The steps of a run, in the order in which they started. */
export function RunSteps({ steps, selectedId, onSelect }: RunStepsProps) {
  return (
    <nav className={styles['steps']} aria-label="Steps">
      <ol>
        {steps.map((step) => (
          <li key={step.id}>
            <button
              type="button"
              className={styles['step']}
              aria-current={step.id === selectedId ? 'step' : undefined}
              disabled={!isSelectable(step)}
              onClick={() => onSelect(step.id)}
            >
              <RunStatusTag status={step.status} isWordHidden />
              <span className={styles['stepName']}>
                {step.name}
                {step.attempt > 1 ? <small className="wr-muted">{` attempt ${step.attempt}`}</small> : null}
              </span>
              <StepTime step={step} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

function StepTime({ step }: { step: Step }) {
  const { status, start_time: from, end_time: to, scheduled_time: scheduled } = step
  const toExact = useExactTime()
  const until = parseMoment(scheduled)
  if (status === 'sleeping') {
    if (Number.isNaN(until)) return <small>Sleeping</small>
    return (
      <Tip content={`Scheduled for ${toExact(until)}`}>
        <small>
          Sleeping<span className="wr-visually-hidden">{`, scheduled for ${toExact(until)}`}</span>
        </small>
      </Tip>
    )
  }
  if (!from) return <small className="wr-muted">{ownValue(STATUS_TEXTS, status) ?? ''}</small>
  return (
    <small>
      <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} />
    </small>
  )
}

const STATUS_TEXTS: Readonly<Record<string, string>> = {
  skipped: 'Skipped',
  scheduled: 'Scheduled',
  waiting: 'Waiting',
}

const TICK_MS = 1_000

/** How long something took, or has taken until now. */
export function Elapsed({ from, to }: { from: string; to: string | null }) {
  return to === null ? <Ticking from={from} /> : <>{toDuration(spanMs(from, to))}</>
}

function Ticking({ from }: { from: string }) {
  return <>{toDuration(spanMs(from, useServerNow(TICK_MS)))}</>
}
