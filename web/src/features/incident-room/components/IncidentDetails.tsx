import { useQuery } from '@tanstack/react-query'
import {
  type IncidentSeverity,
  type IncidentType,
  INCIDENT_SEVERITY_OPTIONS,
  toLabel,
  INCIDENT_TYPE_OPTIONS,
} from '@watchroom/shared/incidents'

import { personName, usePeople, usePersonName } from '../../../api/people.ts'
import { CollabTextArea } from '../../../collab/CollabText.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { Field } from '../../../ui/form/Field.tsx'
import { FieldRow } from '../../../ui/form/FieldRow.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { incidentRowQuery } from '../incidentRow.ts'
import { Responders } from '../responders/Responders.tsx'
import { SEVERITY_TONES } from '../words.ts'
import { ExactTime } from './ExactTime.tsx'
import { OpeningRule } from './OpeningRule.tsx'

import styles from '../incidentRoom.module.css'

/** Severity, type, commander and description, and what never changes about the incident. */
export function IncidentDetails({ incidentId }: { incidentId: string }) {
  const canWrite = useIncidentPart((room) => room.canWrite)
  const nameOf = usePersonName()
  const { isLoaded } = usePeople()
  const { data: row, isPending, isError } = useQuery(incidentRowQuery(incidentId))

  return (
    <div className={styles['details']}>
      {canWrite ? <DetailsForm /> : null}
      <dl className={styles['facts']}>
        {canWrite ? null : <DetailsFacts />}
        {isError ? null : (
          <>
            <dt>Created</dt>
            <dd>{isPending ? <Pending letters={24} /> : <ExactTime at={row?.created_at} />}</dd>
            <dt>Created by</dt>
            <dd>
              {isPending || !isLoaded ? <Pending letters={12} /> : row?.created_by ? nameOf(row.created_by) : '–'}
            </dd>
          </>
        )}
        {row?.incident_rule_id ? <OpeningRule id={row.incident_rule_id} /> : null}
      </dl>
      <h3 className={styles['subtitle']}>Responders</h3>
      <Responders incidentId={incidentId} />
    </div>
  )
}

/** What may be changed, for those who may. */
function DetailsForm() {
  const severity = useIncidentPart((room) => room.view.incident.severity)
  const type = useIncidentPart((room) => room.view.incident.type)
  const commanderId = useIncidentPart((room) => room.view.incident.commander_id)
  const edit = useIncidentPart((room) => room.edit)
  const { present } = usePeople()
  const people = present.map((person) => ({ value: person.id, label: personName(person) }))
  const isCommanderKnown = commanderId === null || present.some((person) => person.id === commanderId)
  return (
    <>
      <FieldRow>
        <div className={styles['tone']} data-tone={SEVERITY_TONES[severity]}>
          <SelectField
            label="Severity"
            value={severity}
            options={INCIDENT_SEVERITY_OPTIONS}
            onChange={(chosen) => edit.setSeverity(chosen as IncidentSeverity)}
          />
        </div>
        <SelectField
          label="Type"
          value={type}
          options={INCIDENT_TYPE_OPTIONS}
          onChange={(chosen) => edit.setType(chosen as IncidentType)}
        />
      </FieldRow>
      <SelectField
        label="Commander"
        placeholder="Nobody"
        value={commanderId ?? ''}
        options={isCommanderKnown ? people : [{ value: commanderId, label: '…' }, ...people]}
        onChange={(chosen) => edit.setCommander(chosen === '' ? null : chosen)}
      />
      <Field label="Description">
        {({ id }) => (
          <CollabTextArea
            id={id}
            text={edit.incidentText('description')}
            field="incident/description"
            aria-label="Description"
            placeholder="What’s happening, since when, and who is affected"
          />
        )}
      </Field>
    </>
  )
}

/** The same for those who read: words, no fields that refuse. */
function DetailsFacts() {
  const { severity, type, commander_id: commanderId, description } = useIncidentPart((room) => room.view.incident)
  const nameOf = usePersonName()
  return (
    <>
      <dt>Severity</dt>
      <dd>
        <SeverityBars severity={severity} />
      </dd>
      <dt>Type</dt>
      <dd>{toLabel(type)}</dd>
      <dt>Commander</dt>
      <dd>{commanderId === null ? 'Nobody' : nameOf(commanderId)}</dd>
      <dt>Description</dt>
      <dd className={styles['factsText']}>{description === '' ? '–' : description}</dd>
    </>
  )
}
