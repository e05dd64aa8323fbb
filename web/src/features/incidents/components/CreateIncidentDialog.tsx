import '../incidents.css'
import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useId, useState } from 'react'
import { flushSync } from 'react-dom'

import { errorText } from '../../../api/request.ts'
import { useSession } from '../../../api/session.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { showErrorToast } from '../../../ui/toaster.ts'
import { checkDraft, type DraftFields, NEW_INCIDENT } from '../draft.ts'
import { SEVERITY_OPTIONS, STATUS_OPTIONS, TYPE_OPTIONS } from '../labels.ts'
import { newId } from '../newId.ts'
import { type EvidenceDraft, startIncidentCreation } from '../queries.ts'
import { Choice } from './Choice.tsx'
import { TextField } from './TextField.tsx'

interface CreateIncidentDialogProps {
  /** What made somebody open the incident; attached to its root hypothesis. */
  evidence?: EvidenceDraft
  onClose: () => void
}

/** Opens an incident and leads to it. A failure leaves everything as it was typed. */
export function CreateIncidentDialog({ evidence, onClose }: CreateIncidentDialogProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const formId = useId()
  const [fields, setFields] = useState<DraftFields>(NEW_INCIDENT)
  const [wasTried, setTried] = useState(false)
  const [creation] = useState(() => startIncidentCreation(newId))
  const { draft, errors } = checkDraft(fields)
  const shown = wasTried && errors !== null ? errors : {}
  const create = useMutation({
    mutationFn: (checked: NonNullable<typeof draft>) => creation.create(checked, user.id, evidence),
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: (id) => {
      onClose()
      return navigate({ to: '/incidents/$id', params: { id } })
    },
  })

  const set = (field: keyof DraftFields) => (value: string) => setFields((current) => ({ ...current, [field]: value }))

  function handleSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    // At once, so that what is wrong can be gone to.
    flushSync(() => setTried(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
    if (draft !== null && !create.isPending) create.mutate(draft)
  }

  return (
    <SizedDialog
      size="small"
      isOpen
      onClose={onClose}
      title="Create New Incident"
      className="incident-dialog"
      // A click beside it must not cost what was typed.
      canOutsideClickClose={fields === NEW_INCIDENT}
    >
      <DialogBody>
        <form id={formId} onSubmit={handleSubmit} noValidate>
          <TextField label="Title" value={fields.title} onChange={set('title')} error={shown.title} isFirst />
          <TextField
            label="Description"
            value={fields.description}
            onChange={set('description')}
            isOptional
            isMultiline
          />
          <div className="incident-dialog-row">
            <Choice
              label="Severity"
              value={fields.severity}
              options={SEVERITY_OPTIONS}
              onChange={set('severity')}
              error={shown.severity}
            />
            <Choice
              label="Status"
              value={fields.status}
              options={STATUS_OPTIONS}
              onChange={set('status')}
              error={shown.status}
            />
            <Choice label="Type" value={fields.type} options={TYPE_OPTIONS} onChange={set('type')} error={shown.type} />
          </div>
        </form>
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button type="submit" form={formId} intent="primary" text="Create" loading={create.isPending} />
          </>
        }
      />
    </SizedDialog>
  )
}
