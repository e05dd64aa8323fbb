import '../incidents.css'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { DraftSchema, NEW_INCIDENT } from '../draft.ts'
import { SEVERITY_OPTIONS, STATUS_OPTIONS, TYPE_OPTIONS } from '../labels.ts'
import { newId } from '../newId.ts'
import { type EvidenceDraft, startIncidentCreation } from '../queries.ts'

interface CreateIncidentDialogProps {
  /** What made somebody open the incident; attached to its root hypothesis. */
  evidence?: EvidenceDraft
  onClose: () => void
}

/** Opens an incident and leads to it. */
export function CreateIncidentDialog({ evidence, onClose }: CreateIncidentDialogProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const [creation] = useState(() => startIncidentCreation(newId))
  const form = useForm({
    schema: DraftSchema,
    initial: NEW_INCIDENT,
    save: (draft) => creation.create(draft, user.id, evidence),
    onSaved: (id) => {
      onClose()
      void navigate({ to: '/incidents/$id', params: { id } })
    },
  })
  return (
    <FormDialog form={form} title="Create New Incident" action="Create" onClose={onClose}>
      <TextField label="Title" {...form.field('title')} isFirst />
      <TextField label="Description" {...form.field('description')} mark="optional" isMultiline />
      <div className="incident-dialog-row">
        <SelectField label="Severity" {...form.field('severity')} options={SEVERITY_OPTIONS} />
        <SelectField label="Status" {...form.field('status')} options={STATUS_OPTIONS} />
        <SelectField label="Type" {...form.field('type')} options={TYPE_OPTIONS} />
      </div>
    </FormDialog>
  )
}
