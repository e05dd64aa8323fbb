import { SegmentedControl } from '@blueprintjs/core'
import { INCIDENT_SEVERITY_OPTIONS, INCIDENT_TYPE_OPTIONS } from '@watchroom/shared/incidents'
import { useState } from 'react'

import {
  createEvidence,
  createHypothesis,
  type EvidenceDraft,
  startIncidentCreation,
} from '../../../api/incidentCreation.ts'
import { NEW_INCIDENT } from '../../../api/incidentDraft.ts'
import { useSession } from '../../../api/session.tsx'
import { newId } from '../../../collab/newId.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { TextField } from '../../../ui/form/TextField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showTopRightToast } from '../../../ui/toaster.ts'
import { type LinkFields, LinkSchema, NEW_HYPOTHESIS } from '../linkForm.ts'
import { HypothesisPicker } from './HypothesisPicker.tsx'
import { IncidentPicker } from './IncidentPicker.tsx'

interface LinkToIncidentDialogProps {
  /** What to attach, as it was when the dialog opened; the description can still be edited. */
  evidence: EvidenceDraft
  /** Preselected: the incident the person came from. */
  incidentId?: string | undefined
  onClose: () => void
}

const WAYS = [
  { value: 'existing', label: 'Existing incident' },
  { value: 'new', label: 'New incident' },
]

const NONE = { id: '', title: '' }

const toFields = (evidence: EvidenceDraft, incident: string): LinkFields => ({
  way: 'existing',
  incident,
  hypothesis: NONE,
  // No defaults: the incident is not what the person came for.
  draft: { ...NEW_INCIDENT, severity: '', type: '' },
  description: evidence.description,
})

/** Attaches something found elsewhere to a hypothesis of an incident, or to a new incident. */
export function LinkToIncidentDialog({ evidence: current, incidentId = '', onClose }: LinkToIncidentDialogProps) {
  const { user } = useSession()
  // Attaches what the person saw and chose, even if the source has changed since.
  const [evidence] = useState(current)
  // Fixed ids, so that retrying after a failure creates nothing twice.
  const [ids] = useState(() => ({ evidence: newId(), hypothesis: newId() }))
  const [creation] = useState(() => startIncidentCreation(newId))
  const form = useForm({
    schema: LinkSchema,
    initial: toFields(evidence, incidentId),
    save: async (link) => {
      const described = { ...evidence, description: link.description }
      if (link.way === 'new') {
        await creation.create(link.draft, user.id, [described])
        return
      }
      const { incidentId, hypothesis } = link
      const isNew = hypothesis.id === NEW_HYPOTHESIS
      const hypothesisId = isNew ? ids.hypothesis : hypothesis.id
      if (isNew) await createHypothesis({ id: hypothesisId, incidentId, title: hypothesis.title, userId: user.id })
      await createEvidence(described, { id: ids.evidence, hypothesisId, userId: user.id })
    },
    onSaved: () => {
      showTopRightToast('Linked to incident successfully')
      onClose()
    },
  })
  const { way, incident } = form.values
  return (
    <FormDialog form={form} title="Link to Incident" action="Link" onClose={onClose}>
      <SegmentedControl
        fill
        aria-label="Where to attach it"
        options={WAYS}
        value={way}
        onValueChange={(next) => form.set('way', next === 'new' ? 'new' : 'existing')}
      />
      {way === 'existing' ? (
        <>
          <IncidentPicker
            {...form.field('incident')}
            onChange={(id) => {
              form.set('incident', id)
              form.set('hypothesis', NONE)
            }}
            onCreate={(title) => {
              form.set('way', 'new')
              form.set('draft.title', title)
            }}
          />
          {incident === '' ? null : (
            <HypothesisPicker key={incident} incidentId={incident} {...form.field('hypothesis')} />
          )}
        </>
      ) : (
        <>
          <TextField label="Title" {...form.field('draft.title')} />
          <FieldRow>
            <SelectField
              label="Severity"
              {...form.field('draft.severity')}
              options={INCIDENT_SEVERITY_OPTIONS}
              placeholder="Select severity"
            />
            <SelectField
              label="Type"
              {...form.field('draft.type')}
              options={INCIDENT_TYPE_OPTIONS}
              placeholder="Select type"
            />
          </FieldRow>
        </>
      )}
      <TextField label="Evidence description" {...form.field('description')} mark="optional" isMultiline />
    </FormDialog>
  )
}
