import { Repeat } from '@blueprintjs/icons'
import { useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'
import type { PlaybookRun } from '@watchroom/shared/playbooks'
import { use, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import { PagePeers } from '../../../collab/PagePeers.tsx'
import { Freshness } from '../../../live/Freshness.tsx'
import { toTopicState } from '../../../live/toTopicState.ts'
import { DataStates } from '../../../ui/DataStates.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { NotFound } from '../../../ui/NotFound.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ImpactStrip } from '../components/ImpactStrip.tsx'
import { RunApproval } from '../components/RunApproval.tsx'
import { RunControls } from '../components/RunControls.tsx'
import { RunFacts } from '../components/RunFacts.tsx'
import { RunPlaybookDialog } from '../components/RunPlaybookDialog.tsx'
import { RunSteps } from '../components/RunSteps.tsx'
import { StepOutput } from '../components/StepOutput.tsx'
import { readPlaybookSpec } from '../playbookSpec.ts'
import { RunActions } from '../runActions.ts'
import { type RunParts, selectedStep, targetOf, titleOf } from '../runParts.ts'
import { RunSearchSchema } from '../search.ts'
import { useRunParts } from '../useRunParts.ts'

import styles from '../playbooks.module.css'

/** `/playbooks/runs/{id}`: the status and output of a run, live. */
export function PlaybookRunScreen() {
  const { id = '' } = useParams({ strict: false })
  return isUuid(id) ? (
    <Run key={id} id={id} />
  ) : (
    <>
      <PageHeader title="Playbook run" />
      <NoSuchRun />
    </>
  )
}

function Run({ id }: { id: string }) {
  const { topic, parts } = useRunParts(id)
  const { run, steps } = parts
  const mayRun = useSession().can('write', 'playbook_runs')
  const renderActions = use(RunActions)
  const [isRunning, setRunning] = useState(false)
  const rerun =
    run !== null && mayRun
      ? { text: 'Re-run playbook', icon: <Repeat />, hotkey: 'r' as const, onClick: () => setRunning(true) }
      : null
  return (
    <>
      <PageHeader
        title={run === null ? 'Playbook run' : titleOf(run.playbooks)}
        action={rerun}
        refresh={{ onRefresh: () => topic.refresh(), isLoading: topic.state === 'loading' }}
        controls={
          run === null ? null : (
            <>
              {renderActions(run)}
              <RunControls run={run} steps={steps} />
            </>
          )
        }
      >
        <Freshness view={topic} />
        {run === null ? null : <PagePeers page="playbook_runs" id={id} />}
      </PageHeader>
      <DataStates state={toTopicState(topic, 'the run')}>
        {() => (run === null ? <NoSuchRun /> : <RunBody run={run} parts={parts} />)}
      </DataStates>
      {run !== null && isRunning ? (
        <RunPlaybookDialog
          playbookId={run.playbook_id}
          target={targetOf(run)}
          parameters={run.parameters ?? {}}
          onClose={() => setRunning(false)}
        />
      ) : null}
    </>
  )
}

function RunBody({ run, parts }: { run: PlaybookRun; parts: RunParts }) {
  const { steps, approvals } = parts
  const [search, setSearch] = useSearchState(RunSearchSchema)
  const selected = selectedStep(steps, search.step)
  return (
    <div className={styles['run']}>
      <RunFacts run={run} />
      <ImpactStrip run={run} steps={steps} selectedId={selected?.id} />
      <RunApproval run={run} steps={steps} approvals={approvals} />
      <div className={styles['runBody']}>
        {steps.length === 0 ? null : (
          <RunSteps
            steps={steps}
            selectedId={selected?.id}
            onSelect={(step) => setSearch({ step, line: '' }, { replace: true })}
          />
        )}
        {selected === null ? (
          <section className={styles['panel']}>
            <EmptyState title="No step has started">{describeAhead(run)}</EmptyState>
          </section>
        ) : (
          <StepOutput step={selected} />
        )}
      </div>
    </div>
  )
}

/** What the run will do, while it has not started. */
function describeAhead(run: PlaybookRun): string {
  const { steps } = readPlaybookSpec(run.spec ?? run.playbooks?.spec)
  return steps.length === 0 ? 'Its output will appear here.' : `Steps: ${steps.join(', ')}.`
}

function NoSuchRun() {
  return (
    <section className={styles['panel']}>
      <NotFound noun="run" title="Run not found" />
    </section>
  )
}
