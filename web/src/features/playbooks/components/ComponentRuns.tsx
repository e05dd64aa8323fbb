import { Link } from '@tanstack/react-router'
import { isEnded, type PlaybookRunSummary } from '@watchroom/shared/playbooks'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { EventTime } from '../../../ui/table/eventTimes.tsx'
import { Why } from '../../../ui/table/Why.tsx'
import { titleOf, whyOf } from '../runParts.ts'
import { runTable } from '../runQueries.ts'
import { useLiveRuns } from '../useLiveRuns.ts'
import { RunStatusTag } from './RunStatusTag.tsx'
import { Elapsed } from './RunSteps.tsx'

import styles from '../playbooks.module.css'

/** Runs on a component, newest first, live. */
export function ComponentRuns({ componentId }: { componentId: string }) {
  const found = useEndlessRows(
    runTable,
    { filters: [`component_id=eq.${componentId}`], order: { by: 'created_at', direction: 'desc' } },
    'runs',
  )
  const { state } = useLiveRuns(found.state)
  return (
    <EndlessSection
      name="runs"
      title="Playbook runs"
      found={{ ...found, state }}
      keyOf={runTable.keyOf}
      empty="No playbook has run on this component."
      renderRow={(run) => <Run run={run} />}
    />
  )
}

function Run({ run }: { run: PlaybookRunSummary }) {
  const { id, status, playbooks, start_time: from, end_time: to, created_at: asked } = run
  const why = whyOf(run)
  return (
    <>
      <Link to="/playbooks/runs/$id" params={{ id }}>
        {titleOf(playbooks)}
      </Link>
      <div className={styles['panelFacts']}>
        <RunStatusTag status={status} />
        <EventTime at={from ?? asked} hasDay />
        {from ? <Elapsed from={from} to={isEnded(status) ? (to ?? from) : null} /> : null}
      </div>
      {why === null ? null : <Why text={why} />}
    </>
  )
}
