import { Button, Classes, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { CaretDown, Refresh } from '@blueprintjs/icons'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type CheckSummary, toCheckTitle } from '@watchroom/shared/health'
import { type ReactNode, useId, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { errorText, RequestError } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { Tip } from '../../../ui/Tip.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { type Playbook, playbooksOfCheckQuery, runOnCheckMutation } from '../queries.ts'

/** Playbooks that match a check, to run on it. Nothing for those who may not, and where playbooks are switched off. */
export function CheckPlaybooks({ check }: { check: CheckSummary }) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const missing = useMissing('playbooks')
  const reasonId = useId()
  const [chosen, setChosen] = useState<Playbook | null>(null)
  const navigate = useNavigate()
  const run = useMutation({
    ...runOnCheckMutation(check.id),
    onSuccess: ({ run_id: id }) => navigate({ to: '/playbooks/runs/$id', params: { id } }),
    onError: (error) => showErrorToast(errorText(error)),
    onSettled: () => setChosen(null),
  })
  if (!can('write', 'playbook_runs') || disabledAreas.has('playbooks')) return null
  if (missing !== null) {
    return (
      <>
        <Tip content={missing} placement="top-end">
          <Button text="Playbooks" aria-disabled aria-describedby={reasonId} />
        </Tip>
        <span id={reasonId} className="wr-visually-hidden">
          {missing}
        </span>
      </>
    )
  }
  return (
    <>
      <PopoverNext
        placement="top-end"
        arrow={false}
        animation="minimal"
        content={<PlaybookMenu checkId={check.id} onChoose={setChosen} />}
      >
        <Button text="Playbooks" endIcon={<CaretDown />} />
      </PopoverNext>
      {chosen === null ? null : (
        <ConfirmDialog
          title="Run playbook?"
          action="Run"
          intent="primary"
          isBusy={run.isPending}
          onCancel={() => setChosen(null)}
          onConfirm={() => run.mutate(chosen)}
        >
          Run the playbook <strong>{nameOf(chosen)}</strong> on <strong>{toCheckTitle(check)}</strong>?
        </ConfirmDialog>
      )}
    </>
  )
}

const nameOf = ({ title, name }: Playbook): string => title || name

interface PlaybookMenuProps {
  checkId: string
  onChoose: (playbook: Playbook) => void
}

/** Asked for when it is opened: most visits of a check run nothing. */
function PlaybookMenu({ checkId, onChoose }: PlaybookMenuProps): ReactNode {
  const { data, error, refetch, isFetching } = useQuery(playbooksOfCheckQuery(checkId))
  return (
    <Menu aria-label="Playbooks">
      {data === undefined && error === null ? <Note text="Loading playbooks…" /> : null}
      {data === undefined && error !== null ? (
        <>
          <Note text={describeFailure(error)} />
          <MenuItem
            icon={<Refresh />}
            text="Try again"
            shouldDismissPopover={false}
            disabled={isFetching}
            onClick={() => void refetch()}
          />
        </>
      ) : null}
      {data?.length === 0 ? <Note text="No playbook matches this check" /> : null}
      {data?.map((playbook) => (
        <PlaybookItem key={playbook.id} playbook={playbook} onChoose={onChoose} />
      ))}
    </Menu>
  )
}

/** Something to read in a menu: nothing that could be chosen, and so not greyed like something that cannot. */
function Note({ text }: { text: string }) {
  return (
    <li className={Classes.MENU_HEADER}>
      <output>{text}</output>
    </li>
  )
}

function describeFailure(error: Error): string {
  if (error instanceof RequestError && error.status === 404) return 'This backend does not run playbooks.'
  return `The playbooks could not be listed: ${errorText(error)}`
}

function PlaybookItem({ playbook, onChoose }: { playbook: Playbook; onChoose: (playbook: Playbook) => void }) {
  const asks = (playbook.parameters ?? []).map(({ label, name }) => label || name)
  if (asks.length === 0) return <MenuItem text={nameOf(playbook)} onClick={() => onChoose(playbook)} />
  return (
    <MenuItem
      disabled
      multiline
      text={
        <>
          {nameOf(playbook)}
          <br />
          <small>Asks for {asks.join(', ')}: start it from Playbooks</small>
        </>
      }
    />
  )
}
