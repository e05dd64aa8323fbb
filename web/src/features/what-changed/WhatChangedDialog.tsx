import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { GitCommit, IconSize, Play, Satellite } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { reasonsOf, type Suspect } from '@watchroom/shared/catalog'
import { type ReactNode, useId, useRef, useState } from 'react'

import { useDisabledAreas } from '../../api/featureFlags.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { useHotkey } from '../../ui/hotkeys.ts'
import { QueryStates } from '../../ui/QueryStates.tsx'
import { SizedDialog } from '../../ui/SizedDialog.tsx'
import { TimeAgo } from '../../ui/TimeAgo.tsx'
import { type LensStart, whatChangedQuery } from './queries.ts'

import styles from './whatChanged.module.css'

interface WhatChangedDialogProps {
  start: LensStart
  /** What makes the chosen one evidence; nothing where that cannot be. */
  renderAttach: (suspect: Suspect) => ReactNode
  onClose: () => void
}

const keyOf = ({ kind, id }: Suspect): string => `${kind} ${id}`

/** What may have led to something, the most likely first and chosen. E attaches the chosen one. */
export function WhatChangedDialog({ start, renderAttach, onClose }: WhatChangedDialogProps) {
  const query = useQuery(whatChangedQuery(start))
  const [chosenKey, setChosenKey] = useState<string | null>(null)
  const suspects = query.data?.suspects ?? []
  const chosen = suspects.find((suspect) => keyOf(suspect) === chosenKey) ?? suspects[0]
  // What is attached just now stays chosen, whatever comes first later.
  if (chosenKey === null && chosen !== undefined) setChosenKey(keyOf(chosen))
  const attach = useRef<HTMLSpanElement>(null)
  useHotkey('e', () => attach.current?.querySelector('button')?.click(), attach)
  return (
    <SizedDialog size="medium" isOpen onClose={onClose} title="What changed">
      <DialogBody>
        <QueryStates query={query} what="what changed">
          {({ at }) =>
            chosen === undefined ? (
              <EmptyState title="Nothing changed">No change, playbook run or agent event in the day before.</EmptyState>
            ) : (
              <>
                <p className="wr-muted">
                  Most likely first: closest in time to <TimeAgo at={at} />
                  {start.start === 'instant' ? '.' : ' and in the catalog.'}
                </p>
                <Suspects
                  suspects={suspects}
                  reasonsOf={(suspect) => reasonsOf(suspect, at, start.start)}
                  chosen={keyOf(chosen)}
                  onChoose={setChosenKey}
                />
              </>
            )
          }
        </QueryStates>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <span ref={attach} className={styles['attach']} aria-keyshortcuts="e">
              {chosen === undefined ? null : renderAttach(chosen)}
            </span>
            <Button text="Close" onClick={onClose} />
          </>
        }
      />
    </SizedDialog>
  )
}

interface SuspectsProps {
  suspects: readonly Suspect[]
  reasonsOf: (suspect: Suspect) => readonly string[]
  chosen: string
  onChoose: (key: string) => void
}

function Suspects({ suspects, reasonsOf, chosen, onChoose }: SuspectsProps) {
  const name = useId()
  return (
    <ol className={styles['suspects']} role="radiogroup" aria-label="What may have caused it">
      {suspects.map((suspect) => (
        <li key={keyOf(suspect)} role="none" className={styles['suspect']}>
          <label className={styles['choice']}>
            <input
              type="radio"
              name={name}
              checked={keyOf(suspect) === chosen}
              onChange={() => onChoose(keyOf(suspect))}
            />
            <KindIcon kind={suspect.kind} />
            <span className={styles['title']}>
              {suspect.subject}: {suspect.title}
            </span>
            <span className={styles['reasons']}>{reasonsOf(suspect).join(' · ')}</span>
          </label>
          <Place suspect={suspect} />
        </li>
      ))}
    </ol>
  )
}

function KindIcon({ kind }: Pick<Suspect, 'kind'>) {
  switch (kind) {
    case 'change':
      return <GitCommit size={IconSize.STANDARD} title="Change" />
    case 'run':
      return <Play size={IconSize.STANDARD} title="Playbook run" />
    case 'agent':
      return <Satellite size={IconSize.STANDARD} title="Agent" />
  }
}

/** The way to where it happened. */
function Place({ suspect: { kind, id, config_id: configId, subject } }: { suspect: Suspect }) {
  const hasRuns = !useDisabledAreas().has('playbooks')
  if (kind === 'run') {
    return !hasRuns ? null : (
      <Link to="/playbooks/runs/$id" params={{ id }} aria-label={`Open the run of ${subject}`}>
        Open
      </Link>
    )
  }
  if (configId === null) return null
  return (
    <Link to="/catalog/$id/changes" params={{ id: configId }} aria-label={`Open the changes of ${subject}`}>
      Open
    </Link>
  )
}
