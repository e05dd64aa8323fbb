import '../../incidents.css'
import { Button, DialogBody, DialogFooter, SegmentedControl } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import { errorText } from '../../../../api/request.ts'
import { useSession } from '../../../../api/session.tsx'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { showErrorToast, showTopRightToast } from '../../../../ui/toaster.ts'
import { checkDraft, type DraftFields, NEW_INCIDENT } from '../../draft.ts'
import { SEVERITY_OPTIONS, TYPE_OPTIONS } from '../../labels.ts'
import { newId } from '../../newId.ts'
import { createEvidence, createHypothesis, type EvidenceDraft, startIncidentCreation } from '../../queries.ts'
import { Choice } from '../Choice.tsx'
import { TextField } from '../TextField.tsx'
import { checkLink, type LinkFields, NEW_HYPOTHESIS } from './checkLink.ts'
import { HypothesisPicker } from './HypothesisPicker.tsx'
import { IncidentPicker } from './IncidentPicker.tsx'

interface LinkToIncidentDialogProps {
  /** What is to be attached; its description can still be changed here. */
  evidence: EvidenceDraft
  onClose: () => void
}

const WAYS = [
  { value: 'existing', label: 'Existing incident' },
  { value: 'new', label: 'New incident' },
]

/** Nothing is chosen for the user here: the incident is not what they came for. */
const NEW_FIELDS: DraftFields = { ...NEW_INCIDENT, severity: '', type: '' }

/** Attaches something found elsewhere to a hypothesis of an incident, or to a new incident. */
export function LinkToIncidentDialog({ evidence, onClose }: LinkToIncidentDialogProps) {
  const { user } = useSession()
  const formId = useId()
  const [fields, setFields] = useState<LinkFields>({
    way: 'existing',
    incidentId: '',
    hypothesisId: '',
    hypothesisTitle: '',
    draft: NEW_FIELDS,
  })
  const [description, setDescription] = useState(evidence.description)
  const [wasTried, setTried] = useState(false)
  const [evidenceId] = useState(newId)
  const [newHypothesisId] = useState(newId)
  const [creation] = useState(() => startIncidentCreation(newId))
  const errors = checkLink(fields)
  const shown = wasTried ? errors : {}

  const link = useMutation({
    mutationFn: async () => {
      const described = { ...evidence, description: description.trim() }
      const { draft } = checkDraft(fields.draft)
      if (fields.way === 'new' && draft !== null) {
        await creation.create(draft, user.id, described)
        return
      }
      const { incidentId, hypothesisTitle: title } = fields
      const isNew = fields.hypothesisId === NEW_HYPOTHESIS
      const hypothesisId = isNew ? newHypothesisId : fields.hypothesisId
      if (isNew) await createHypothesis({ id: hypothesisId, incidentId, title, userId: user.id })
      await createEvidence(described, { id: evidenceId, hypothesisId, userId: user.id })
    },
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: () => {
      showTopRightToast('Linked to incident successfully')
      onClose()
    },
  })

  const set = (patch: Partial<LinkFields>): void => setFields((current) => ({ ...current, ...patch }))
  const setDraft = (field: keyof DraftFields) => (value: string) =>
    setFields((current) => ({ ...current, draft: { ...current.draft, [field]: value } }))

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // At once, so that what is wrong can be gone to.
    flushSync(() => setTried(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (Object.keys(errors).length === 0 && !link.isPending) link.mutate()
  }

  return (
    <SizedDialog
      isOpen
      size="small"
      onClose={onClose}
      title="Link to Incident"
      className="incident-dialog"
      canOutsideClickClose={false}
    >
      <DialogBody>
        <form id={formId} onSubmit={handleSubmit} noValidate>
          <SegmentedControl
            fill
            aria-label="Where to attach it"
            options={WAYS}
            value={fields.way}
            onValueChange={(way) => set({ way: way === 'new' ? 'new' : 'existing' })}
          />
          {fields.way === 'existing' ? (
            <>
              <IncidentPicker
                value={fields.incidentId}
                error={shown.incident}
                onChange={(incidentId) => set({ incidentId, hypothesisId: '', hypothesisTitle: '' })}
                onCreate={(title) => set({ way: 'new', draft: { ...fields.draft, title } })}
              />
              {fields.incidentId === '' ? null : (
                <HypothesisPicker
                  key={fields.incidentId}
                  incidentId={fields.incidentId}
                  value={fields.hypothesisId}
                  newTitle={fields.hypothesisTitle}
                  error={shown.hypothesis}
                  onChange={(hypothesisId, hypothesisTitle) => set({ hypothesisId, hypothesisTitle })}
                />
              )}
            </>
          ) : (
            <>
              <TextField label="Title" value={fields.draft.title} onChange={setDraft('title')} error={shown.title} />
              <div className="incident-dialog-row">
                <Choice
                  label="Severity"
                  value={fields.draft.severity}
                  options={SEVERITY_OPTIONS}
                  placeholder="Select severity"
                  onChange={setDraft('severity')}
                  error={shown.severity}
                />
                <Choice
                  label="Type"
                  value={fields.draft.type}
                  options={TYPE_OPTIONS}
                  placeholder="Select type"
                  onChange={setDraft('type')}
                  error={shown.type}
                />
              </div>
            </>
          )}
          <TextField
            label="Evidence description"
            value={description}
            onChange={setDescription}
            isOptional
            isMultiline
          />
        </form>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button type="submit" form={formId} intent="primary" text="Link" loading={link.isPending} />
          </>
        }
      />
    </SizedDialog>
  )
}
