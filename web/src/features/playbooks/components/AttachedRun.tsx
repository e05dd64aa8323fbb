import { isEnded } from '@watchroom/shared/playbooks'

import { AreaLink } from '../../../api/AreaLink.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { type RunParts, titleOf } from '../runParts.ts'
import { useRunParts } from '../useRunParts.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

import styles from '../playbooks.module.css'

/** A run shown within something else, live: its status, and each of its steps. */
export function AttachedRun({ id }: { id: string }) {
  const { topic, parts } = useRunParts(id)
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
