import { isEnded } from '@watchroom/shared/playbooks'
import { playbookRunTopic } from '@watchroom/shared/protocol'
import { useMemo, useState } from 'react'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { type RunParts, titleOf, toRunParts } from '../runParts.ts'
import { fetchRunParts, RUN_POLL_MS } from '../runQueries.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

import styles from '../playbooks.module.css'

/** A run where something else is the subject, as it happens: where it stands, and each of its steps. */
export function AttachedRun({ id }: { id: string }) {
  const [hasEnded, setHasEnded] = useState(false)
  const options = useMemo(
    () => ({
      fetchRows: (signal: AbortSignal) => fetchRunParts(id, signal),
      refreshMs: hasEnded ? undefined : RUN_POLL_MS,
    }),
    [id, hasEnded],
  )
  const topic = useTopic(playbookRunTopic, { id }, options)
  const parts = useMemo(() => toRunParts(topic.rows), [topic.rows])
  const isOver = parts.run !== null && isEnded(parts.run.status)
  if (isOver !== hasEnded) setHasEnded(isOver)
  return <DataStates state={toTopicState(topic, 'the run')}>{() => <Parts id={id} parts={parts} />}</DataStates>
}

function Parts({ id, parts: { run, steps } }: { id: string; parts: RunParts }) {
  if (run === null) return <p className="wr-muted">This run no longer exists.</p>
  const { start_time: from, end_time: to, status } = run
  return (
    <div className={styles['attached']}>
      <p>
        <RunStatusTag status={status} />
        <AreaLink area="playbooks" to="/playbooks/runs/$id" params={{ id }}>
          {titleOf(run.playbooks)}
        </AreaLink>
        {from ? (
          <small className="wr-muted">
            <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} />
          </small>
        ) : null}
      </p>
      <ol aria-label="Steps">
        {steps.map((step) => (
          <li key={step.id}>
            <RunStatusTag status={step.status} isWordHidden />
            {step.name}
            {step.error ? <span className="wr-muted">{step.error}</span> : null}
          </li>
        ))}
      </ol>
    </div>
  )
}
