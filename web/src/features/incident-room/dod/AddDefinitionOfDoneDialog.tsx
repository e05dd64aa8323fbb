import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'

import { useIncidentPart } from '../../../collab/useIncident.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { Steps } from '../../../ui/dialog/Steps.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { type FieldBinding, useForm } from '../../../ui/form/useForm.ts'
import { attempt } from '../attempt.ts'
import { EVIDENCE_TYPE_NAMES, evidenceTitle, groupByType } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'
import { MARKING_FAILED } from './dodTexts.ts'
import { EvidenceChoiceLabel } from './EvidenceChoiceLabel.tsx'
import { ScriptField } from './ScriptField.tsx'
import { nothingToChoose, useCurrentEvidence } from './useCurrentEvidence.ts'

import styles from '../evidence/evidence.module.css'

type Step = 'kind' | 'evidence' | 'script' | 'comment'

const STEP_NAMES: Record<Step, string> = {
  kind: 'Kind',
  evidence: 'Evidence',
  script: 'Expression',
  comment: 'Condition',
}
const AUTOMATIC = [STEP_NAMES.kind, STEP_NAMES.evidence, STEP_NAMES.script]
const MANUAL = [STEP_NAMES.kind, STEP_NAMES.comment]

const FieldsSchema = z.object({ evidenceId: z.string(), script: z.string().trim(), comment: z.string().trim() })
const NOTHING = { evidenceId: '', script: '', comment: '' }

/** The step that what was entered belongs to, for returning to it. */
function stepOf({ evidenceId, script, comment }: typeof NOTHING): Step {
  if (comment !== '') return 'comment'
  return script !== '' ? 'script' : evidenceId !== '' ? 'evidence' : 'kind'
}

interface AddDefinitionOfDoneDialogProps {
  readonly incidentId: string
  readonly onClose: () => void
}

/** Adds one item in steps. Closing discards everything; after an interruption by the end of the session, it is restored. */
export function AddDefinitionOfDoneDialog({ incidentId, onClose }: AddDefinitionOfDoneDialogProps): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const root = useIncidentPart((room) => room.view.childrenOf.get(''))?.[0]
  const evidence = useCurrentEvidence()
  const details = useEvidenceDetails(evidence)
  const userId = useIncidentPart((room) => room.self.user.id)
  const [chosenStep, setChosenStep] = useState<{ readonly step: Step; readonly ofRestored: boolean } | null>(null)
  const form = useForm({
    schema: FieldsSchema,
    initial: NOTHING,
    draftKey: `dod:new:${incidentId}:${userId}`,
    save: async ({ evidenceId, script, comment }) => {
      const refusal = attempt(() => {
        const id = step === 'comment' && root ? edit.addEvidence(toManualEvidence(root.id, comment)) : evidenceId
        if (step === 'script' && script !== '') edit.setScript(id, script)
        edit.setDefinitionOfDone(id, true)
      })
      if (refusal !== null) throw new Error(MARKING_FAILED)
    },
    onSaved: onClose,
  })
  const { evidenceId, comment } = form.values
  const { wasRestored } = form.draft
  // Discarding restored work starts over.
  const step = chosenStep?.ofRestored === wasRestored ? chosenStep.step : stepOf(form.values)
  const setStep = (next: Step): void => setChosenStep({ step: next, ofRestored: wasRestored })
  /** A field in use stays where it is, even when it is emptied. */
  const fieldHere = (name: keyof typeof NOTHING): FieldBinding<string> => {
    const { onChange, ...binding } = form.field(name)
    return { ...binding, onChange: (value) => (setStep(step), onChange(value)) }
  }
  // Someone else may have removed or flagged it meanwhile.
  const chosen = evidence.find(({ id, isDefinitionOfDone }) => id === evidenceId && !isDefinitionOfDone)
  const isAutomatic = step === 'evidence' || step === 'script'
  return (
    <FormDialog
      form={form}
      title="Add definition of done"
      action={step === 'kind' ? undefined : step === 'evidence' ? 'Next' : 'Add'}
      isDisabled={isAutomatic ? !chosen : comment.trim() === '' || !root}
      onNext={step === 'evidence' ? () => setStep('script') : undefined}
      onBack={step === 'kind' ? undefined : () => setStep(step === 'script' ? 'evidence' : 'kind')}
      onClose={onClose}
    >
      <Steps names={step === 'comment' ? MANUAL : AUTOMATIC} current={STEP_NAMES[step]} />
      {step === 'kind' ? (
        <div className={styles['dodKinds']}>
          <button type="button" className={styles['dodKind']} onClick={() => setStep('evidence')}>
            <strong>Automatic</strong>
            <span>Evidence of this incident that an expression can evaluate.</span>
          </button>
          <button type="button" className={styles['dodKind']} onClick={() => setStep('comment')}>
            <strong>Manual</strong>
            <span>Something a person checks off.</span>
          </button>
        </div>
      ) : null}
      {step === 'evidence' ? <EvidenceChoice evidence={evidence} {...fieldHere('evidenceId')} /> : null}
      {step === 'script' && chosen ? (
        <>
          <strong>{evidenceTitle(chosen, details.get(chosen.id))}</strong>
          <ScriptField type={chosen.type} {...fieldHere('script')} />
        </>
      ) : null}
      {step === 'script' && !chosen ? <p>This evidence is no longer available.</p> : null}
      {step === 'comment' ? (
        <TextField
          label="What must be done"
          {...fieldHere('comment')}
          error={root ? undefined : 'This needs a hypothesis, and there is none yet.'}
          isMultiline
          isFirst
          maxLength={LIMITS.commentLength}
        />
      ) : null}
    </FormDialog>
  )
}

interface EvidenceChoiceProps extends FieldBinding<string> {
  readonly evidence: readonly EvidenceView[]
}

function EvidenceChoice({ evidence, ...binding }: EvidenceChoiceProps): ReactNode {
  const details = useEvidenceDetails(evidence)
  const nothing = nothingToChoose(evidence)
  if (nothing !== null) return <p>{nothing}</p>
  return (
    <div className={styles['dodChoices']}>
      {groupByType(evidence.filter(({ isDefinitionOfDone }) => !isDefinitionOfDone)).map((group) => (
        <RadioField
          key={group.type}
          label={EVIDENCE_TYPE_NAMES[group.type]}
          {...binding}
          options={group.evidence.map((each) => ({
            value: each.id,
            label: <EvidenceChoiceLabel evidence={each} details={details.get(each.id)} />,
          }))}
        />
      ))}
    </div>
  )
}

/** A condition in words is stored as a comment that is evidence. */
function toManualEvidence(hypothesisId: string, comment: string) {
  return {
    hypothesis_id: hypothesisId,
    type: 'comment' as const,
    description: comment,
    evidence: { comment },
    config_id: null,
    config_change_id: null,
    config_analysis_id: null,
    component_id: null,
    check_id: null,
    properties: null,
  }
}
