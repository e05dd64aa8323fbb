import { Classes, Menu, MenuItem, PopoverNext } from '@blueprintjs/core'
import { CaretDown, Refresh } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense, useId, useState } from 'react'

import { useMissing } from '../../../api/backendFacts.ts'
import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { errorText, RequestError } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { lazyPart } from '../../../ui/lazyPart.tsx'
import { Tip } from '../../../ui/Tip.tsx'
import { type Playbook, playbooksOfTargetQuery, type PlaybookTarget } from '../queries.ts'

// With its editors and rules it is larger than the pages that offer it.
const RunPlaybookDialog = lazyPart(async () => (await import('./RunPlaybookDialog.tsx')).RunPlaybookDialog)

/** A playbook, and what it is going to run on. */
export interface WantedRun {
  readonly playbookId: string
  readonly target: PlaybookTarget
}

/** Asks for what the playbook needs, and runs it. */
export function WantedRunDialog({ run, onClose }: { run: WantedRun; onClose: () => void }) {
  return (
    <Suspense>
      <RunPlaybookDialog {...run} onClose={onClose} />
    </Suspense>
  )
}

interface TargetPlaybooksProps {
  target: PlaybookTarget
  isSmall?: boolean
  /** Shows the dialog elsewhere, if this component may unmount before it. Default: here. */
  onRun?: (run: WantedRun) => void
}

/** Playbooks that match a resource, to run on it. Nothing for people who may not, or where playbooks are switched off. */
export function TargetPlaybooks({ target, isSmall = false, onRun }: TargetPlaybooksProps) {
  const { can } = useSession()
  const disabledAreas = useDisabledAreas()
  const missing = useMissing('playbooks')
  const size = isSmall ? 'small' : 'medium'
  const reasonId = useId()
  const [wanted, setWanted] = useState<WantedRun | null>(null)
  if (!can('write', 'playbook_runs') || disabledAreas.has('playbooks')) return null
  if (missing !== null) {
    return (
      <>
        <Tip content={missing} placement="top-end">
          <CommandButton size={size} command="Playbooks" aria-disabled aria-describedby={reasonId} />
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
        content={
          <PlaybookMenu target={target} onChoose={({ id }) => (onRun ?? setWanted)({ playbookId: id, target })} />
        }
      >
        <CommandButton size={size} command="Playbooks" endIcon={<CaretDown />} />
      </PopoverNext>
      {wanted === null ? null : <WantedRunDialog run={wanted} onClose={() => setWanted(null)} />}
    </>
  )
}

interface PlaybookMenuProps {
  target: PlaybookTarget
  onChoose: (playbook: Playbook) => void
}

/** Loads when opened: most visits run nothing. */
export function PlaybookMenu({ target, onChoose }: PlaybookMenuProps): ReactNode {
  const { data, error, refetch, isFetching } = useQuery(playbooksOfTargetQuery(target))
  // Of what is listed here; that a backend runs no playbooks at all is known before.
  const isGone = error instanceof RequestError && error.status === 404
  return (
    <Menu aria-label="Playbooks">
      {data === undefined && error === null ? <Note text="Loading playbooks…" /> : null}
      {data === undefined && error !== null ? (
        <>
          <Note
            text={
              isGone
                ? `This ${WORDS[target.kind]} was not found. It may have been deleted.`
                : `The playbooks could not be listed: ${errorText(error)}`
            }
          />
          {isGone ? null : (
            <MenuItem
              icon={<Refresh />}
              text="Try again"
              shouldDismissPopover={false}
              disabled={isFetching}
              onClick={() => void refetch()}
            />
          )}
        </>
      ) : null}
      {data?.length === 0 ? <Note text={`No playbook matches this ${WORDS[target.kind]}`} /> : null}
      {data?.map((playbook) => (
        <MenuItem key={playbook.id} text={playbook.title} onClick={() => onChoose(playbook)} />
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

const WORDS = { check: 'check', component: 'component', config: 'config item' } as const
