import { Edit, Tick, Trash, Undo } from '@blueprintjs/icons'
import type { EvidenceView } from '@watchroom/shared/collab'
import type { DodVerdict } from '@watchroom/shared/incidents'
import { memo, type ReactNode, useState } from 'react'

import { usePersonName } from '../../../api/people.ts'
import { NotSaved } from '../../../collab/NotSaved.tsx'
import { TouchMark } from '../../../collab/TouchMark.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { type GlyphStatus, StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { attempt } from '../attempt.ts'
import { EVIDENCE_TYPE_NAMES, evidenceTitle } from '../evidence/evidenceTitle.ts'
import type { EvidenceDetails } from '../evidence/queries.ts'
import { DodClauses } from './DodClauses.tsx'
import { REMOVING_FAILED } from './dodTexts.ts'

import styles from '../evidence/evidence.module.css'

interface DodItemProps {
  readonly item: EvidenceView
  readonly details: EvidenceDetails | undefined
  /** The result of its script; undefined without a script, and while unknown. */
  readonly verdict: DodVerdict | undefined
  readonly canWrite: boolean
  /** The dialog is not part of the item: it survives when others remove the item, or when it scrolls out of view. */
  readonly onEdit: (item: EvidenceView) => void
}

type Asked = 'done' | 'remove' | null

/** One item of the definition of done. Items decided by a script cannot be ticked by hand. */
export const DodItem = memo(DodItemView)

function DodItemView({ item, details, verdict, canWrite, onEdit }: DodItemProps): ReactNode {
  const toExact = useExactTime()
  const edit = useIncidentPart((room) => room.edit)
  const nameOf = usePersonName()
  const [asked, setAsked] = useState<Asked>(null)
  const title = evidenceTitle(item, details)
  const isManual = item.type === 'comment'
  const isDecidedByScript = !isManual && (item.script ?? '') !== ''
  const isDone = item.done === true
  const state = toState(isDone, isDecidedByScript ? verdict : undefined)

  const handleDone = (): void => {
    setAsked(null)
    if (attempt(() => edit.setDone(item.id, !isDone)) !== null)
      showErrorToast(`Marking as ${isDone ? 'not done' : 'done'} failed`)
  }
  const handleRemove = (): void => {
    setAsked(null)
    if (attempt(() => edit.setDefinitionOfDone(item.id, false)) !== null) showErrorToast(REMOVING_FAILED)
  }

  return (
    <div className={styles['dodItem']} data-evidence={item.id} data-done={isDone || undefined}>
      <TouchMark path={`evidence/${item.id}`} />
      <div className={styles['dodHead']}>
        <StatusGlyph status={state.glyph} word={state.word} />
        <span className={styles['label']}>{isManual ? 'Manual' : 'Automatic'}</span>
        {canWrite ? (
          <span className={styles['actions']}>
            {isDecidedByScript ? null : (
              <IconButton
                icon={isDone ? <Undo /> : <Tick />}
                label={isDone ? 'Mark as not done' : 'Mark as done'}
                size="small"
                onClick={() => setAsked('done')}
              />
            )}
            <IconButton icon={<Edit />} label="Edit" size="small" onClick={() => onEdit(item)} />
            <IconButton
              icon={<Trash />}
              label="Remove from definition of done"
              size="small"
              onClick={() => setAsked('remove')}
            />
          </span>
        ) : null}
      </div>
      <p className={styles['dodTitle']}>
        <strong>{title}</strong> {isManual ? null : <span className="wr-muted">{EVIDENCE_TYPE_NAMES[item.type]}</span>}
      </p>
      {isDecidedByScript ? <Script script={item.script ?? ''} verdict={verdict} /> : null}
      {!isManual && !isDecidedByScript ? (
        <p className={`${styles['dodNote']} wr-muted`}>No expression decides this. Someone has to.</p>
      ) : null}
      {item.doneAt === null || (item.doneBy === null && !isDone) ? null : (
        <p className={`${styles['dodNote']} wr-muted`}>
          {isDone ? 'Done' : 'Not done'} by {nameOf(item.doneBy)},{' '}
          <time dateTime={item.doneAt}>{toExact(parseMoment(item.doneAt))}</time>
        </p>
      )}
      <NotSaved entity="evidences" id={item.id} />
      {asked === 'done' ? (
        <ConfirmDialog
          title={`Mark as ${isDone ? 'not done' : 'done'}?`}
          action={isDone ? 'Mark as not done' : 'Mark as done'}
          intent="primary"
          onConfirm={handleDone}
          onCancel={() => setAsked(null)}
        >
          Mark “{title}” as {isDone ? 'not done' : 'done'}?
        </ConfirmDialog>
      ) : null}
      {asked === 'remove' ? (
        <ConfirmDialog
          title={`Remove “${title}” from the definition of done?`}
          action="Remove from definition"
          onConfirm={handleRemove}
          onCancel={() => setAsked(null)}
        >
          The evidence itself stays.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}

function toState(isDone: boolean, verdict: DodVerdict | undefined): { glyph: GlyphStatus; word: string } {
  if (isDone) return { glyph: 'healthy', word: 'Done' }
  if (verdict && verdict.done === null) return { glyph: 'warning', word: 'Can’t be evaluated' }
  if (verdict && verdict.holdsSince !== null) return { glyph: 'running', word: 'Holding' }
  return { glyph: 'unknown', word: 'Not done' }
}

/** The expression; by clause once their results are known. */
function Script({ script, verdict }: { script: string; verdict: DodVerdict | undefined }): ReactNode {
  const clauses = verdict?.clauses ?? []
  return (
    <>
      {clauses.length === 0 ? (
        <code className={styles['dodScript']}>{script}</code>
      ) : (
        <DodClauses clauses={clauses} isHolding={verdict?.holdsSince != null} />
      )}
      {verdict?.error && clauses.every(({ error }) => error !== verdict.error) ? (
        <p className={`${styles['dodNote']} ${styles['dodClauseError']}`}>{verdict.error}</p>
      ) : null}
    </>
  )
}
