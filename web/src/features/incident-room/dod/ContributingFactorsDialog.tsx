import { Button } from '@blueprintjs/core'
import type { IncidentStatus } from '@watchroom/shared/incidents'
import type { ReactNode } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { CheckboxesField } from '../../../ui/form/CheckboxesField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showErrorToast, showToast } from '../../../ui/toaster.ts'
import { attempt } from '../attempt.ts'
import { EVIDENCE_TYPE_NAMES, groupByType } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'
import { EvidenceChoiceLabel } from './EvidenceChoiceLabel.tsx'
import { nothingToChoose, useCurrentEvidence } from './useCurrentEvidence.ts'

interface ContributingFactorsDialogProps {
  /** The status that was asked for: mitigated or resolved. */
  readonly status: IncidentStatus
  /** Called after Submit and Skip, and for Cancel, which changes nothing. */
  readonly onClose: () => void
}

/** Asks what led to the incident before it becomes mitigated or resolved, and then changes its status. */
export function ContributingFactorsDialog({ status, onClose }: ContributingFactorsDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const evidence = useCurrentEvidence()
  const details = useEvidenceDetails(evidence)
  const nothing = nothingToChoose(evidence)
  const candidates = evidence.filter(({ isDefinitionOfDone }) => !isDefinitionOfDone)
  const isCandidate = (id: string): boolean => candidates.some((each) => each.id === id)

  const changeStatus = (): void => {
    if (attempt(() => edit.setStatus(status)) === null) showToast('Incident status updated successfully')
    else showErrorToast('Incident status updated failed')
    onClose()
  }
  const form = useForm({
    // Someone else may have removed or flagged one meanwhile.
    schema: z.object({
      chosen: z.array(z.string()).refine((ids) => ids.some(isCandidate), 'Please select atleast one evidence'),
    }),
    initial: { chosen: [] as string[] },
    save: async ({ chosen }) => {
      // The status is what was asked for: it changes even when a factor cannot be flagged (second specification, section 4).
      for (const id of chosen.filter(isCandidate)) attempt(() => edit.setDefinitionOfDone(id, true))
    },
    onSaved: changeStatus,
  })
  return (
    <FormDialog
      form={form}
      title="Add contributing factors to definition of done"
      action="Submit"
      isQuick
      actions={<Button text="Skip" onClick={changeStatus} />}
      onClose={onClose}
    >
      {nothing === null ? (
        <CheckboxesField
          label="What led to the incident"
          {...form.field('chosen')}
          groups={groupByType(candidates).map((group) => ({
            label: EVIDENCE_TYPE_NAMES[group.type],
            options: group.evidence.map((each) => ({
              value: each.id,
              label: <EvidenceChoiceLabel evidence={each} details={details.get(each.id)} />,
            })),
          }))}
        />
      ) : (
        <>
          <p>{nothing}</p>
          {form.errorAt('chosen') === undefined ? null : <p role="alert">{form.errorAt('chosen')}</p>}
        </>
      )}
    </FormDialog>
  )
}
