import type { EvidenceView } from '@watchroom/shared/collab'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { evidenceTitle } from '../evidence/evidenceTitle.ts'
import type { EvidenceDetails } from '../evidence/queries.ts'

import styles from '../evidence/evidence.module.css'

interface EvidenceChoiceLabelProps {
  readonly evidence: EvidenceView
  readonly details: EvidenceDetails | undefined
}

/** A piece of evidence to choose. Two about the same thing differ in their description and hypothesis. */
export function EvidenceChoiceLabel({ evidence, details }: EvidenceChoiceLabelProps) {
  const hypothesis = useIncidentPart((room) => room.view.hypotheses.get(evidence.hypothesis_id)?.title)
  const title = evidenceTitle(evidence, details)
  const said = evidence.description || details?.config_changes?.summary || details?.config_analysis?.summary
  const remarks = [said, hypothesis].filter((text) => text && text !== title)
  return (
    <span className={styles['dodChoice']}>
      {title}
      {remarks.length > 0 ? (
        <span className={`${styles['dodChoiceRemark']} wr-muted`}>{remarks.join(' · ')}</span>
      ) : null}
    </span>
  )
}
