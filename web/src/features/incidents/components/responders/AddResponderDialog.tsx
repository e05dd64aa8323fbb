import { Button, DialogBody, DialogFooter, FormGroup, HTMLSelect, Radio, RadioGroup } from '@blueprintjs/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useMemo, useState } from 'react'

import { errorText } from '../../../../api/request.ts'
import { useSession } from '../../../../api/session.tsx'
import { useIncidentPart } from '../../../../collab/useIncident.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { showErrorToast, showToast } from '../../../../ui/toaster.ts'
import { incidentRowQuery } from '../../incidentRow.ts'
import { toLabel } from '../../labels.ts'
import { personName, usePeople } from '../../people.ts'
import { Steps } from '../Steps.tsx'
import { addResponder, instancesQuery, type NewResponder, type Team, teamsQuery } from './queries.ts'
import { ResponderDetailsForm } from './ResponderDetailsForm.tsx'
import { editField, type FormValues, missingFields, type ResponderClient, toFormValues } from './responderForm.ts'
import {
  isResponderType,
  RESPONDER_TYPES,
  type ResponderField,
  RESPONDERS,
  type ResponderType,
} from './responderTypes.ts'

const NO_CLIENT: ResponderClient = { values: {}, defaults: {} }
const NOTHING_MISSING: ReadonlySet<ResponderField> = new Set()

interface AddResponderDialogProps {
  readonly incidentId: string
  readonly onClose: () => void
}

type Step = 'responder' | 'type' | 'details'

const TITLES: Record<Step, string> = {
  responder: 'Select Responder',
  type: 'Responder Type',
  details: 'Responder Details',
}

/** Calls in a person or a team, step by step. Mounted only while it is open, so closing it forgets everything. */
export function AddResponderDialog({ incidentId, onClose }: AddResponderDialogProps): ReactNode {
  const { user } = useSession()
  const [step, setStep] = useState<Step>('responder')
  const [personId, setPersonId] = useState('')
  const [teamId, setTeamId] = useState('')
  const [type, setType] = useState<ResponderType | null>(null)
  const [edited, setEdited] = useState<FormValues>({})
  const [isChecked, setChecked] = useState(false)
  const { data: teams } = useQuery(teamsQuery)
  const team = teams?.find(({ id }) => id === teamId)
  const types = useMemo(() => typesOf(team), [team])
  const { values, locked } = useDetails({ incidentId, team, type, edited })
  const missing = type ? missingFields(RESPONDERS[type].fields, values) : NOTHING_MISSING

  const add = useMutation({
    mutationFn: addResponder,
    onSuccess: () => {
      showToast('Responder added successfully')
      onClose()
    },
    onError: (error) => showErrorToast(errorText(error)),
  })
  const base = { incident_id: incidentId, created_by: user.id }

  const handleChooseType = (chosen: ResponderType): void => {
    if (chosen === type) return
    setType(chosen)
    setEdited({})
    setChecked(false)
  }
  const handleSave = (): void => {
    setChecked(true)
    if (type === null || missing.size > 0) return
    const responder: NewResponder = {
      ...base,
      type: 'system',
      team_id: teamId,
      properties: { responderType: type, ...values },
    }
    add.mutate(responder)
  }

  return (
    <SizedDialog isOpen size="small" onClose={onClose} title={TITLES[step]} className="incident-dialog">
      <DialogBody>
        <Steps names={personId === '' ? Object.values(TITLES) : [TITLES.responder]} current={TITLES[step]} />
        {step === 'responder' ? (
          <WhoStep
            teams={teams ?? []}
            teamId={teamId}
            personId={personId}
            onTeam={(id) => {
              setTeamId(id)
              setPersonId('')
              setType(null)
              setEdited({})
              setChecked(false)
            }}
            onPerson={(id) => {
              setPersonId(id)
              setTeamId('')
            }}
          />
        ) : null}
        {step === 'type' ? <TypeStep types={types} type={type} onChoose={handleChooseType} /> : null}
        {step === 'details' && type ? (
          <ResponderDetailsForm
            type={type}
            values={values}
            locked={locked}
            missing={isChecked ? missing : NOTHING_MISSING}
            onChange={(field, value) => setEdited((before) => editField(before, field, value))}
          />
        ) : null}
      </DialogBody>
      <DialogFooter
        actions={
          <>
            {step === 'responder' ? null : (
              <Button text="Back" onClick={() => setStep(step === 'details' ? 'type' : 'responder')} />
            )}
            {step === 'responder' && personId !== '' ? (
              <Button
                intent="primary"
                text="Add"
                loading={add.isPending}
                onClick={() => add.mutate({ ...base, type: 'person', person_id: personId, properties: {} })}
              />
            ) : null}
            {step === 'responder' && personId === '' ? (
              <Button intent="primary" text="Next" disabled={!team} onClick={() => setStep('type')} />
            ) : null}
            {step === 'type' ? (
              <Button intent="primary" text="Next" disabled={type === null} onClick={() => setStep('details')} />
            ) : null}
            {step === 'details' ? (
              <Button
                intent="primary"
                text="Save"
                disabled={type === null}
                loading={add.isPending}
                onClick={handleSave}
              />
            ) : null}
          </>
        }
      />
    </SizedDialog>
  )
}

interface WhoStepProps {
  readonly teams: readonly Team[]
  readonly teamId: string
  readonly personId: string
  readonly onTeam: (id: string) => void
  readonly onPerson: (id: string) => void
}

function WhoStep({ teams, teamId, personId, onTeam, onPerson }: WhoStepProps): ReactNode {
  const { present } = usePeople()
  const teamField = useId()
  const personField = useId()
  return (
    <>
      <FormGroup label="Team" labelFor={teamField}>
        <HTMLSelect
          id={teamField}
          fill
          value={teamId}
          options={[
            { value: '', label: 'Select a team' },
            ...teams.map(({ id, name }) => ({ value: id, label: name })),
          ]}
          onChange={(event) => onTeam(event.target.value)}
        />
      </FormGroup>
      <FormGroup label="or Person" labelFor={personField}>
        <HTMLSelect
          id={personField}
          fill
          value={personId}
          options={[
            { value: '', label: 'Select a person' },
            ...present.map((person) => ({ value: person.id, label: personName(person) })),
          ]}
          onChange={(event) => onPerson(event.target.value)}
        />
      </FormGroup>
    </>
  )
}

interface TypeStepProps {
  readonly types: readonly ResponderType[]
  readonly type: ResponderType | null
  readonly onChoose: (type: ResponderType) => void
}

function TypeStep({ types, type, onChoose }: TypeStepProps): ReactNode {
  if (types.length === 0) return <p>There are no responders configured for this team</p>
  return (
    <RadioGroup
      className="responder-types"
      name="responder-type"
      selectedValue={type ?? ''}
      onChange={(event) => {
        const { value } = event.currentTarget
        if (isResponderType(value)) onChoose(value)
      }}
    >
      {types.map((each) => (
        <Radio key={each} value={each} label={RESPONDERS[each].title} />
      ))}
    </RadioGroup>
  )
}

/** In the order of the specification: the team's settings have none. */
function typesOf(team: Team | undefined): readonly ResponderType[] {
  const clients = team?.spec?.responder_clients ?? {}
  return RESPONDER_TYPES.filter((type) => type !== 'person' && Object.hasOwn(clients, type))
}

interface DetailsInput {
  readonly incidentId: string
  readonly team: Team | undefined
  readonly type: ResponderType | null
  readonly edited: FormValues
}

/** Values of the form as they are now, and which of them nobody may change. */
function useDetails({ incidentId, team, type, edited }: DetailsInput): {
  values: Record<string, string>
  locked: ReadonlySet<string>
} {
  const incident = useIncidentPart((room) => room.view.incident)
  const { data: row } = useQuery(incidentRowQuery(incidentId))
  const system = type === 'ms_planner' ? 'ms_planner' : 'jira'
  const { data: instances } = useQuery({
    ...instancesQuery(system),
    enabled: type === 'jira' || type === 'ms_planner',
  })
  return useMemo(() => {
    if (type === null) return { values: {}, locked: new Set() }
    const client = team?.spec?.responder_clients?.[type] ?? NO_CLIENT
    const own = instances?.find(({ external_id: teams }) => team !== undefined && teams.includes(team.id))
    const fixed = own ? { ...client.values, configType: own.id } : client.values
    const values = toFormValues(
      RESPONDERS[type].fields,
      { ...client, values: fixed },
      edited,
      // The document is newer than the row.
      { ...row, ...incident, status: toLabel(incident.status), type: toLabel(incident.type) },
    )
    return { values, locked: new Set(Object.keys(fixed)) }
  }, [incident, row, instances, team, type, edited])
}
