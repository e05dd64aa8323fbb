import { FormGroup, HTMLSelect } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import {
  INCIDENT_SEVERITIES,
  INCIDENT_TYPES,
  type IncidentSeverity,
  type IncidentType,
} from '@watchroom/shared/incidents'
import { useId } from 'react'

import { CollabTextArea } from '../../../../collab/CollabText.tsx'
import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { incidentRowQuery } from '../../incidentRow.ts'
import { toLabel } from '../../labels.ts'
import { personName, usePeople, usePersonName } from '../../people.ts'
import { SeverityBars } from '../list/SeverityBars.tsx'
import { Responders } from '../responders/Responders.tsx'
import { ExactTime } from '../room/ExactTime.tsx'
import { SEVERITY_TONES } from '../room/words.ts'

/** Severity, type, commander and description, and what never changes about the incident. */
export function IncidentDetails({ incidentId }: { incidentId: string }) {
  const canWrite = useIncidentPart((room) => room.canWrite)
  const { nameOf } = usePeople()
  const { data: row } = useQuery(incidentRowQuery(incidentId))

  return (
    <div className="room-details">
      {canWrite ? <DetailsForm /> : null}
      <dl className="room-facts">
        {canWrite ? null : <DetailsFacts />}
        <dt>Created</dt>
        <dd>
          <ExactTime at={row?.created_at} />
        </dd>
        <dt>Created by</dt>
        <dd>{(row?.created_by && nameOf(row.created_by)) || '–'}</dd>
      </dl>
      <h3 className="room-subtitle">Responders</h3>
      <Responders incidentId={incidentId} />
    </div>
  )
}

/** What may be changed, for those who may. */
function DetailsForm() {
  const { severity, type, commander_id: commanderId } = useIncidentPart((room) => room.view.incident)
  const edit = useIncidentPart((room) => room.edit)
  const { present } = usePeople()
  const id = useId()
  const isCommanderKnown = commanderId === null || present.some((person) => person.id === commanderId)
  return (
    <>
      <div className="room-details-row">
        <FormGroup label="Severity" labelFor={`${id}-severity`}>
          <HTMLSelect
            id={`${id}-severity`}
            fill
            className="room-tone"
            data-tone={SEVERITY_TONES[severity]}
            value={severity}
            onChange={({ currentTarget }) => edit.setSeverity(currentTarget.value as IncidentSeverity)}
          >
            {INCIDENT_SEVERITIES.map((each) => (
              <option key={each} value={each}>
                {toLabel(each)}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
        <FormGroup label="Type" labelFor={`${id}-type`}>
          <HTMLSelect
            id={`${id}-type`}
            fill
            value={type}
            onChange={({ currentTarget }) => edit.setType(currentTarget.value as IncidentType)}
          >
            {INCIDENT_TYPES.map((each) => (
              <option key={each} value={each}>
                {toLabel(each)}
              </option>
            ))}
          </HTMLSelect>
        </FormGroup>
      </div>
      <FormGroup label="Commander" labelFor={`${id}-commander`}>
        <HTMLSelect
          id={`${id}-commander`}
          fill
          value={commanderId ?? ''}
          onChange={({ currentTarget }) => edit.setCommander(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="">Nobody</option>
          {isCommanderKnown ? null : <option value={commanderId}>…</option>}
          {present.map((person) => (
            <option key={person.id} value={person.id}>
              {personName(person)}
            </option>
          ))}
        </HTMLSelect>
      </FormGroup>
      <div className="bp6-form-group">
        <span className="bp6-label">Description</span>
        <CollabTextArea
          text={edit.incidentText('description')}
          field="incident/description"
          aria-label="Description"
          placeholder="What happens, since when, who is affected"
        />
      </div>
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
      <dd className="room-facts-text">{description === '' ? '–' : description}</dd>
    </>
  )
}
