import type { PlaybookRun } from '@watchroom/shared/playbooks'
import type { ReactNode } from 'react'

import { RunActions } from '../features/playbooks/runActions.ts'
import { PlaybookRunScreen } from '../features/playbooks/screens/PlaybookRunScreen.tsx'
import { PHONE } from '../ui/breakpoints.ts'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { toRunEvidence } from './attachedRun.ts'
import { AttachEvidence } from './AttachEvidence.tsx'

/** `/playbooks/runs/{id}`: the run, which may become evidence of an incident. */
export function PlaybookRunPage() {
  return (
    <RunActions value={renderAttach}>
      <PlaybookRunScreen />
    </RunActions>
  )
}

const renderAttach = (run: PlaybookRun): ReactNode => <AttachRun run={run} />

function AttachRun({ run }: { run: PlaybookRun }) {
  return (
    <AttachEvidence
      evidence={toRunEvidence({ id: run.id, title: run.playbooks?.title || run.playbooks?.name || 'a playbook' })}
      isIcon={useMediaQuery(PHONE)}
    />
  )
}
