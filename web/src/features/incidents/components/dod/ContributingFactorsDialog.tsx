import '../evidence/evidence.css'
import { Button, Checkbox, DialogBody, DialogFooter } from '@blueprintjs/core'
import { DocumentEditError } from '@watchroom/shared/collab'
import type { IncidentStatus } from '@watchroom/shared/incidents'
import { type ReactNode, useState } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { showToast } from '../../../../ui/toaster.ts'
import { attempt } from '../evidence/attempt.ts'
import { EVIDENCE_TYPE_NAMES, groupByType } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'
import { EvidenceChoiceLabel } from './EvidenceChoiceLabel.tsx'
import { nothingToChoose, useLivingEvidence } from './useLivingEvidence.ts'

interface ContributingFactorsDialogProps {
  /** The status that was asked for: mitigated or resolved. */
  readonly status: IncidentStatus
  /** Called after Submit and Skip, and for Cancel, which changes nothing. */
  readonly onClose: () => void
}

/** Asks what led to the incident before it counts as mitigated or resolved, and then changes its status. */
export function ContributingFactorsDialog({ status, onClose }: ContributingFactorsDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const evidence = useLivingEvidence()
  const details = useEvidenceDetails(evidence)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [problem, setProblem] = useState<string | null>(null)
  const nothing = nothingToChoose(evidence)
  const candidates = evidence.filter(({ isDefinitionOfDone }) => !isDefinitionOfDone)

  const changeStatus = (): void => {
    if (attempt('Incident status updated failed', () => edit.setStatus(status))) {
      showToast('Incident status updated successfully')
    }
    onClose()
  }
  const handleSubmit = (): void => {
    const factors = candidates.filter(({ id }) => chosen.has(id))
    if (factors.length === 0) {
      setProblem('Please select atleast one evidence')
      return
    }
    for (const { id } of factors) {
      try {
        edit.setDefinitionOfDone(id, true)
      } catch (error) {
        // The status is what was asked for: it changes even when a factor cannot be flagged (second specification, section 4).
        if (!(error instanceof DocumentEditError)) throw error
      }
    }
    changeStatus()
  }
  const handleToggle = (id: string): void => {
    setProblem(null)
    setChosen((before) => {
      const after = new Set(before)
      if (!after.delete(id)) after.add(id)
      return after
    })
  }

  return (
    <SizedDialog
      isOpen
      size="small"
      onClose={onClose}
      title="Add contributing factors to definition of done"
      className="incident-dialog"
    >
      <DialogBody>
        {nothing === null ? (
          <div className="dod-choices">
            {groupByType(candidates).map((group) => (
              <fieldset key={group.type}>
                <legend>{EVIDENCE_TYPE_NAMES[group.type]}</legend>
                {group.evidence.map((each) => (
                  <Checkbox
                    key={each.id}
                    checked={chosen.has(each.id)}
                    labelElement={<EvidenceChoiceLabel evidence={each} details={details.get(each.id)} />}
                    onChange={() => handleToggle(each.id)}
                  />
                ))}
              </fieldset>
            ))}
          </div>
        ) : (
          <p>{nothing}</p>
        )}
        {problem === null ? null : (
          <p className="dod-problem" role="alert">
            {problem}
          </p>
        )}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button text="Skip" onClick={changeStatus} />
            <Button intent="primary" text="Submit" onClick={handleSubmit} />
          </>
        }
      />
    </SizedDialog>
  )
}
