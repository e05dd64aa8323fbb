import './evidence.css'
import { Alert } from '@blueprintjs/core'
import { Endorsed, Trash } from '@blueprintjs/icons'
import type { EvidenceView } from '@watchroom/shared/collab'
import { type ReactNode, useMemo, useState } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { formatExact, parseMoment } from '../../../../ui/formatTime.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { usePersonName } from '../../people.ts'
import { attempt } from './attempt.ts'
import { EvidenceIcon } from './EvidenceIcon.tsx'
import { EvidenceMenu } from './EvidenceMenu.tsx'
import { EVIDENCE_TYPE_NAMES, evidenceTitle } from './evidenceTitle.ts'
import { EvidenceViewer } from './EvidenceViewer.tsx'
import { type EvidenceDetails, useEvidenceDetails } from './queries.ts'

interface EvidenceListProps {
  readonly hypothesisId: string
}

/** Evidence of one hypothesis, oldest first. Nothing at all when there is none. */
export function EvidenceList({ hypothesisId }: EvidenceListProps): ReactNode {
  const all = useIncidentPart((room) => room.view.evidence)
  const evidence = useMemo(
    () => all.filter(({ hypothesis_id: owner, removed }) => owner === hypothesisId && removed === null),
    [all, hypothesisId],
  )
  const details = useEvidenceDetails(evidence)
  if (evidence.length === 0) return null
  return (
    <ul className="evidence-list" aria-label="Evidence">
      {evidence.map((each) => (
        <EvidenceItem key={each.id} evidence={each} details={details.get(each.id)} />
      ))}
    </ul>
  )
}

interface EvidenceItemProps {
  readonly evidence: EvidenceView
  readonly details: EvidenceDetails | undefined
}

function EvidenceItem({ evidence, details }: EvidenceItemProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const canModerate = useIncidentPart((room) => room.canModerate)
  const userId = useIncidentPart((room) => room.self.user.id)
  const nameOf = usePersonName()
  const [isRemoving, setRemoving] = useState(false)
  const title = evidenceTitle(evidence, details)
  const isOwn = evidence.created_by === userId

  const handleFlag = (): void => {
    const isMember = !evidence.isDefinitionOfDone
    attempt(
      isMember
        ? 'Marking evidence as part of definition of done failed'
        : 'Removing evidence from definition of done failed',
      () => edit.setDefinitionOfDone(evidence.id, isMember),
    )
  }
  const handleRemove = (): void => {
    setRemoving(false)
    attempt('Evidence delete failed', () => edit.removeEvidence(evidence.id))
  }

  return (
    <li className="evidence-item" data-evidence={evidence.id} data-type={evidence.type}>
      <div className="evidence-head">
        <EvidenceIcon type={evidence.type} />
        <span className="evidence-type">{EVIDENCE_TYPE_NAMES[evidence.type]}</span>
        <strong className="evidence-title">{title}</strong>
        {evidence.isDefinitionOfDone ? <span className="evidence-label">Definition of done</span> : null}
        <span className="evidence-actions">
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
                  : { disabledReason: 'Only its author, a commander, an editor or an admin may remove it' })}
                onClick={() => setRemoving(true)}
              />
            </>
          ) : null}
        </span>
      </div>
      {evidence.description !== '' && evidence.description !== title && evidence.type !== 'comment' ? (
        <p className="evidence-description">{evidence.description}</p>
      ) : null}
      <EvidenceViewer evidence={evidence} details={details} />
      <p className="evidence-by wr-muted">
        {nameOf(evidence.created_by)},{' '}
        <time dateTime={evidence.created_at}>{formatExact(parseMoment(evidence.created_at))}</time>
      </p>
      {isRemoving ? (
        <Alert
          isOpen
          intent="danger"
          confirmButtonText="Remove"
          cancelButtonText="Cancel"
          canEscapeKeyCancel
          onConfirm={handleRemove}
          onCancel={() => setRemoving(false)}
        >
          Remove the evidence “{title}” from this incident?
        </Alert>
      ) : null}
    </li>
  )
}
