import { Endorsed, Trash } from '@blueprintjs/icons'
import type { EvidenceView } from '@watchroom/shared/collab'
import { memo, type ReactNode, use, useState } from 'react'

import { usePersonName } from '../../../api/people.ts'
import { NotSaved } from '../../../collab/NotSaved.tsx'
import { TouchMark } from '../../../collab/TouchMark.tsx'
import { useIncidentItems, useIncidentPart } from '../../../collab/useIncident.ts'
import { ConfirmDialog } from '../../../ui/dialog/ConfirmDialog.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { VirtualRows } from '../../../ui/VirtualRows.tsx'
import { attempt } from '../attempt.ts'
import { currentOf } from '../currentOf.ts'
import { MARKING_FAILED, REMOVING_FAILED } from '../dod/dodTexts.ts'
import { EvidenceBodies } from '../evidenceActions.ts'
import { EvidenceIcon } from './EvidenceIcon.tsx'
import { EvidenceMenu } from './EvidenceMenu.tsx'
import { EVIDENCE_TYPE_NAMES, evidenceTitle } from './evidenceTitle.ts'
import { EvidenceViewer } from './EvidenceViewer.tsx'
import { type EvidenceDetails, useEvidenceDetails } from './queries.ts'

import styles from './evidence.module.css'

interface EvidenceListProps {
  readonly hypothesisId: string
}

/** Evidence of one hypothesis, oldest first. Nothing at all when there is none. */
export function EvidenceList({ hypothesisId }: EvidenceListProps): ReactNode {
  const evidence = useIncidentItems(hypothesisId, ({ view }) => currentOf(view.evidence, hypothesisId))
  const details = useEvidenceDetails(evidence)
  if (evidence.length === 0) return null
  return (
    <VirtualRows
      as="ul"
      className={`${styles['list']}`}
      aria-label="Evidence"
      gap={EVIDENCE_GAP_PX}
      rows={evidence}
      keyOf={idOf}
      estimate={estimateEvidence}
      renderRow={(each) => <EvidenceItem evidence={each} details={details.get(each.id)} />}
    />
  )
}

/** Same number as in evidence.module.css. */
export const EVIDENCE_GAP_PX = 8

/** Estimated height of a piece of evidence in pixels: those with lines are as high as the box they scroll in. */
export const estimateEvidence = ({ type }: Pick<EvidenceView, 'type'>): number =>
  type === 'log' || type === 'config' ? 330 : type === 'comment' ? 68 : 120

const idOf = ({ id }: EvidenceView): string => id

interface EvidenceItemProps {
  readonly evidence: EvidenceView
  readonly details: EvidenceDetails | undefined
}

const EvidenceItem = memo(EvidenceItemView)

function EvidenceItemView({ evidence, details }: EvidenceItemProps): ReactNode {
  const toExact = useExactTime()
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const canModerate = useIncidentPart((room) => room.canModerate)
  const userId = useIncidentPart((room) => room.self.user.id)
  const nameOf = usePersonName()
  const [isRemoving, setRemoving] = useState(false)
  const title = evidenceTitle(evidence, details)
  const other = use(EvidenceBodies)(evidence)
  const isOwn = evidence.created_by === userId

  const handleFlag = (): void => {
    const isMember = !evidence.isDefinitionOfDone
    if (attempt(() => edit.setDefinitionOfDone(evidence.id, isMember)) === null) return
    showErrorToast(isMember ? MARKING_FAILED : REMOVING_FAILED)
  }
  const handleRemove = (): void => {
    setRemoving(false)
    if (attempt(() => edit.removeEvidence(evidence.id)) !== null) showErrorToast('Evidence delete failed')
  }

  return (
    <div className={styles['item']} data-evidence={evidence.id} data-type={evidence.type}>
      <TouchMark path={`evidence/${evidence.id}`} />
      <div className={styles['head']}>
        <EvidenceIcon type={evidence.type} />
        <span className={styles['type']}>{other?.name ?? EVIDENCE_TYPE_NAMES[evidence.type]}</span>
        <strong className={styles['title']}>{title}</strong>
        {evidence.isDefinitionOfDone ? <span className={styles['label']}>Definition of done</span> : null}
        <span className={styles['actions']}>
          <EvidenceMenu evidence={evidence} title={title} details={details} />
          {canWrite ? (
            <>
              <IconButton
                icon={<Endorsed />}
                label={evidence.isDefinitionOfDone ? 'Remove from definition of done' : 'Add to definition of done'}
                size="small"
                active={evidence.isDefinitionOfDone}
                aria-pressed={evidence.isDefinitionOfDone}
                onClick={handleFlag}
              />
              <IconButton
                icon={<Trash />}
                label="Remove evidence"
                size="small"
                {...(isOwn || canModerate
                  ? {}
                  : { disabledReason: 'Only its author, a commander, an editor or an admin can remove it' })}
                onClick={() => setRemoving(true)}
              />
            </>
          ) : null}
        </span>
      </div>
      {evidence.description !== '' && evidence.description !== title && evidence.type !== 'comment' ? (
        <p className={styles['description']}>{evidence.description}</p>
      ) : null}
      {other === null ? <EvidenceViewer evidence={evidence} details={details} /> : other.body}
      <NotSaved entity="evidences" id={evidence.id} />
      <p className={`${styles['by']} wr-muted`}>
        {nameOf(evidence.created_by)},{' '}
        <time dateTime={evidence.created_at}>{toExact(parseMoment(evidence.created_at))}</time>
      </p>
      {isRemoving ? (
        <ConfirmDialog
          title={`Remove “${title}”?`}
          action="Remove evidence"
          onConfirm={handleRemove}
          onCancel={() => setRemoving(false)}
        >
          The evidence goes from this incident for everyone.
        </ConfirmDialog>
      ) : null}
    </div>
  )
}
