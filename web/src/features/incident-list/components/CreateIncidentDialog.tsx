import { useNavigate } from '@tanstack/react-router'
import { INCIDENT_SEVERITY_OPTIONS, INCIDENT_STATUS_OPTIONS, INCIDENT_TYPE_OPTIONS } from '@watchroom/shared/incidents'
import { useState } from 'react'

import { type EvidenceDraft, startIncidentCreation } from '../../../api/incidentCreation.ts'
import { IncidentDraftSchema, NEW_INCIDENT } from '../../../api/incidentDraft.ts'
import { useSession } from '../../../api/session.tsx'
import { newId } from '../../../collab/newId.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'

interface CreateIncidentDialogProps {
  /** The initial title. */
  title?: string
  /** What made someone open the incident; attached to its root hypothesis. */
  evidence?: readonly EvidenceDraft[]
  onClose: () => void
}

/** Opens an incident and leads to it. */
export function CreateIncidentDialog({ title = '', evidence, onClose }: CreateIncidentDialogProps) {
  const { user } = useSession()
  const navigate = useNavigate()
  const [creation] = useState(() => startIncidentCreation(newId))
  const form = useForm({
    schema: IncidentDraftSchema,
    initial: { ...NEW_INCIDENT, title },
    // The initial title tells drafts from different places apart.
    draftKey: `incidents:new:${title}:${user.id}`,
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
      <FieldRow>
        <SelectField label="Severity" {...form.field('severity')} options={INCIDENT_SEVERITY_OPTIONS} />
        <SelectField label="Status" {...form.field('status')} options={INCIDENT_STATUS_OPTIONS} />
        <SelectField label="Type" {...form.field('type')} options={INCIDENT_TYPE_OPTIONS} />
      </FieldRow>
    </FormDialog>
  )
}
