import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMemo } from 'react'

import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { type CanaryRow } from '../canaryRow.ts'
import { diffLines } from '../diffLines.ts'
import { type Draft, toDraft } from '../draft.ts'

interface ConflictDialogProps {
  mine: Draft
  theirs: CanaryRow
  isSaving: boolean
  onKeepEditing: () => void
  onTakeTheirs: () => void
  onSaveMine: () => void
}

const MARKS = { same: ' ', mine: '+', theirs: '-' } as const
const WORDS = { same: '', mine: 'only yours: ', theirs: 'only saved: ' } as const

/** Two people edited one definition: shows both, and lets the person decide. */
export function ConflictDialog({
  mine,
  theirs,
  isSaving,
  onKeepEditing,
  onTakeTheirs,
  onSaveMine,
}: ConflictDialogProps) {
  const lines = useMemo(() => diffLines(toComparable(toDraft(theirs)), toComparable(mine)), [mine, theirs])
  return (
    <SizedDialog
      size="medium"
      isOpen
      onClose={onKeepEditing}
      canOutsideClickClose={false}
      className="canary-conflict"
      title="Somebody else saved this check"
    >
      <DialogBody>
        <p>
          A newer version was saved <TimeAgo at={theirs.updated_at} /> while you were editing. Lines with a minus are
          only in the saved version, lines with a plus only in yours.
        </p>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must be reachable by keyboard */}
        <pre className="canary-diff" tabIndex={0} aria-label="Differences">
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
            <Button text="Keep editing" onClick={onKeepEditing} />
            <Button text="Take the saved version" onClick={onTakeTheirs} />
            <Button intent="danger" text="Save mine over it" loading={isSaving} onClick={onSaveMine} />
          </>
        }
      />
    </SizedDialog>
  )
}

/** Labels and spec as one text. */
function toComparable({ labels, text }: Draft): string {
  const shown = labels.filter(({ key }) => key !== '').map(({ key, value }) => `  ${key}: ${value}`)
  return [...(shown.length === 0 ? [] : ['# labels', ...shown, '# spec']), text.trimEnd()].join('\n')
}
