import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { diffLines } from '@watchroom/shared/kernel'
import { useMemo } from 'react'

import { SizedDialog } from '../SizedDialog.tsx'
import { TimeAgo } from '../TimeAgo.tsx'

import styles from './dialog.module.css'

interface ConflictDialogProps {
  /** What both are versions of, for example `check`. */
  what: string
  /** Both versions as text, line by line. */
  mine: string
  theirs: string
  /** RFC 3339; nothing where nobody knows. */
  savedAt: string | null | undefined
  /** Whose version it is, where that is known. */
  savedBy?: string | null
  isSaving: boolean
  onKeepEditing: () => void
  onTakeTheirs: () => void
  onSaveMine: () => void
}

const MARKS = { same: ' ', added: '+', removed: '-' } as const
const WORDS = { same: '', added: 'only yours: ', removed: 'only saved: ' } as const

/** Two people edited one thing: shows both versions, and lets the person decide. */
export function ConflictDialog({ what, mine, theirs, savedAt, savedBy, isSaving, ...on }: ConflictDialogProps) {
  const lines = useMemo(() => diffLines(theirs, mine), [mine, theirs])
  return (
    <SizedDialog
      size="medium"
      isOpen
      onClose={on.onKeepEditing}
      canOutsideClickClose={false}
      className={`${styles['conflict']}`}
      title={`${savedBy ?? 'Someone else'} saved this ${what}`}
    >
      <DialogBody>
        <p>
          A newer version was saved {savedAt ? <TimeAgo at={savedAt} /> : null} while you were editing. Lines with a
          minus are only in the saved version; lines with a plus are only in yours.
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
        <pre className={styles['diff']} tabIndex={0} aria-label="Differences">
          {lines.map(({ kind, text }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- lines have no identity but their place
            <span key={index} data-kind={kind}>
              <span aria-hidden>{MARKS[kind]} </span>
              <span className="wr-visually-hidden">{WORDS[kind]}</span>
              {text}
            </span>
          ))}
        </pre>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Keep editing" onClick={on.onKeepEditing} />
            <Button text="Use the saved version" onClick={on.onTakeTheirs} />
            <Button intent="danger" text="Overwrite with mine" loading={isSaving} onClick={on.onSaveMine} />
          </>
        }
      />
    </SizedDialog>
  )
}
