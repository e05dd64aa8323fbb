import { Button, DialogBody, DialogFooter, FormGroup, Radio, RadioGroup, TextArea } from '@blueprintjs/core'
import { type EvidenceView, LIMITS } from '@watchroom/shared/collab'
import { type ReactNode, useId, useState } from 'react'

import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { attempt } from '../evidence/attempt.ts'
import { EVIDENCE_TYPE_NAMES, evidenceTitle, groupByType } from '../evidence/evidenceTitle.ts'
import { useEvidenceDetails } from '../evidence/queries.ts'
import { Steps } from '../Steps.tsx'
import { EvidenceChoiceLabel } from './EvidenceChoiceLabel.tsx'
import { ScriptField } from './ScriptField.tsx'
import { nothingToChoose, useLivingEvidence } from './useLivingEvidence.ts'

const FAILURE = 'Marking evidence as part of definition of done failed'

type Step = 'kind' | 'evidence' | 'script' | 'comment'

const STEP_NAMES: Record<Step, string> = {
  kind: 'Kind',
  evidence: 'Evidence',
  script: 'Expression',
  comment: 'Condition',
}
const AUTOMATIC = [STEP_NAMES.kind, STEP_NAMES.evidence, STEP_NAMES.script]
const MANUAL = [STEP_NAMES.kind, STEP_NAMES.comment]

/** Adds one item in steps. Mounted only while it is open, so closing it forgets everything. */
export function AddDefinitionOfDoneDialog({ onClose }: { onClose: () => void }): ReactNode {
  const edit = useIncidentPart((room) => room.edit)
  const topLevel = useIncidentPart((room) => room.view.childrenOf.get(''))
  const evidence = useLivingEvidence()
  const [step, setStep] = useState<Step>('kind')
  const [chosenId, setChosenId] = useState('')
  const [script, setScript] = useState('')
  const [comment, setComment] = useState('')
  const commentId = useId()
  // Somebody else may have removed or flagged it meanwhile.
  const chosen = evidence.find(({ id, isDefinitionOfDone }) => id === chosenId && !isDefinitionOfDone)
  const root = topLevel?.[0]
  const details = useEvidenceDetails(evidence)

  const handleAddAutomatic = (): void => {
    const isAdded = attempt(FAILURE, () => {
      if (script.trim() !== '') edit.setScript(chosenId, script.trim())
      edit.setDefinitionOfDone(chosenId, true)
    })
    if (isAdded) onClose()
  }
  const handleAddManual = (): void => {
    if (!root) return
    const isAdded = attempt(FAILURE, () => {
      const id = edit.addEvidence(toManualEvidence(root.id, comment.trim()))
      edit.setDefinitionOfDone(id, true)
    })
    if (isAdded) onClose()
  }

  return (
    <SizedDialog isOpen size="small" onClose={onClose} title="Add definition of done" className="incident-dialog">
      <DialogBody>
        <Steps names={step === 'comment' ? MANUAL : AUTOMATIC} current={STEP_NAMES[step]} />
        {step === 'kind' ? (
          <div className="dod-kinds">
            <button type="button" className="dod-kind" onClick={() => setStep('evidence')}>
              <strong>Automatic</strong>
              <span>Evidence of this incident that an expression can judge.</span>
            </button>
            <button type="button" className="dod-kind" onClick={() => setStep('comment')}>
              <strong>Manual</strong>
              <span>Something that a person ticks.</span>
            </button>
          </div>
        ) : null}
        {step === 'evidence' ? <EvidenceChoice evidence={evidence} chosenId={chosenId} onChoose={setChosenId} /> : null}
        {step === 'script' && chosen ? (
          <>
            <p>
              <strong>{evidenceTitle(chosen, details.get(chosen.id))}</strong>
            </p>
            <ScriptField type={chosen.type} value={script} onChange={setScript} />
          </>
        ) : null}
        {step === 'script' && !chosen ? <p>This evidence can no longer be chosen.</p> : null}
        {step === 'comment' ? (
          <FormGroup label="What must be done" labelFor={commentId}>
            <TextArea
              id={commentId}
              fill
              autoResize
              value={comment}
              maxLength={LIMITS.commentLength}
              onChange={(event) => setComment(event.target.value)}
            />
            {root ? null : <p className="dod-problem">This needs a hypothesis; there is none yet.</p>}
          </FormGroup>
        ) : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {step === 'kind' ? (
              <Button text="Cancel" onClick={onClose} />
            ) : (
              <Button text="Back" onClick={() => setStep(step === 'script' ? 'evidence' : 'kind')} />
            )}
            {step === 'evidence' ? (
              <Button intent="primary" text="Next" disabled={!chosen} onClick={() => setStep('script')} />
            ) : null}
            {step === 'script' ? (
              <Button intent="primary" text="Add" disabled={!chosen} onClick={handleAddAutomatic} />
            ) : null}
            {step === 'comment' ? (
              <Button intent="primary" text="Add" disabled={comment.trim() === '' || !root} onClick={handleAddManual} />
            ) : null}
          </>
        }
      />
    </SizedDialog>
  )
}

interface EvidenceChoiceProps {
  readonly evidence: readonly EvidenceView[]
  readonly chosenId: string
  readonly onChoose: (id: string) => void
}

function EvidenceChoice({ evidence, chosenId, onChoose }: EvidenceChoiceProps): ReactNode {
  const details = useEvidenceDetails(evidence)
  const nothing = nothingToChoose(evidence)
  if (nothing !== null) return <p>{nothing}</p>
  return (
    <div className="dod-choices">
      {groupByType(evidence.filter(({ isDefinitionOfDone }) => !isDefinitionOfDone)).map((group) => (
        <RadioGroup
          key={group.type}
          label={EVIDENCE_TYPE_NAMES[group.type]}
          selectedValue={chosenId}
          onChange={(event) => onChoose(event.currentTarget.value)}
        >
          {group.evidence.map((each) => (
            <Radio
              key={each.id}
              value={each.id}
              labelElement={<EvidenceChoiceLabel evidence={each} details={details.get(each.id)} />}
            />
          ))}
        </RadioGroup>
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
