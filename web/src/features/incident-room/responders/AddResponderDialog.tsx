import { Button } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { toLabel } from '@watchroom/shared/incidents'
import { type ReactNode, useMemo, useState } from 'react'
import { z } from 'zod'

import { peopleQuery, personName, usePeople } from '../../../api/people.ts'
import { useSession } from '../../../api/session.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { Steps } from '../../../ui/dialog/Steps.tsx'
import { RadioField } from '../../../ui/form/RadioField.tsx'
import { SelectField } from '../../../ui/form/SelectField.tsx'
import { unreadText } from '../../../ui/form/unreadText.ts'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { incidentRowQuery } from '../incidentRow.ts'
import { addResponder, instancesQuery, type NewResponder, type Team, teamsQuery } from './queries.ts'
import { ResponderDetailsForm } from './ResponderDetailsForm.tsx'
import { editField, type FormValues, missingFields, type ResponderClient, toFormValues } from './responderForm.ts'
import { RESPONDER_TYPES, RESPONDERS, type ResponderType } from './responderTypes.ts'

import styles from '../evidence/evidence.module.css'

const NO_TEAMS: readonly Team[] = []
const NO_CLIENT: ResponderClient = { values: {}, defaults: {} }

interface AddResponderDialogProps {
  readonly incidentId: string
  readonly onClose: () => void
}

type Step = 'responder' | 'type' | 'details'

const STEP_NAMES: Record<Step, string> = {
  responder: 'Select Responder',
  type: 'Responder Type',
  details: 'Responder Details',
}

interface Fields {
  teamId: string
  personId: string
  /** Empty: none chosen. */
  type: ResponderType | ''
  /** What was typed; other details come from the team's settings. */
  edited: FormValues
}

const NOBODY: Fields = { teamId: '', personId: '', type: '', edited: {} }

/** The next choice to make, for returning to what was entered. */
const stepOf = ({ teamId, type, edited }: Fields): Step =>
  type !== '' && Object.keys(edited).length > 0 ? 'details' : teamId !== '' && type !== '' ? 'type' : 'responder'

/** Calls in a person or a team, step by step. Closing discards everything; after an interruption by the end of the session, it is restored. */
export function AddResponderDialog({ incidentId, onClose }: AddResponderDialogProps): ReactNode {
  const { user } = useSession()
  const { present, isLoaded, hasFailed } = usePeople()
  const [chosenStep, setStep] = useState<Step | null>(null)
  const teamsAnswer = useQuery(teamsQuery)
  const teams = teamsAnswer.data ?? NO_TEAMS
  const areTeamsUnread = teamsAnswer.isError && teamsAnswer.data === undefined
  const { refetch: readPeople } = useQuery({ ...peopleQuery, enabled: false })
  const form = useForm({
    schema: z.custom<Fields>().superRefine(({ type }, context) => {
      if (type === '') return
      for (const field of missingFields(RESPONDERS[type].fields, details.values)) {
        context.addIssue({ code: 'custom', path: ['edited', field], message: 'Please provide valid value' })
      }
    }),
    initial: NOBODY,
    draftKey: `responders:new:${incidentId}:${user.id}`,
    save: (fields) => addResponder(toResponder(fields)),
    onSaved: () => {
      showToast('Responder added successfully')
      onClose()
    },
  })
  const { teamId, personId, type, edited } = form.values
  const step = chosenStep === null || (teamId === '' && personId === '') ? stepOf(form.values) : chosenStep
  const team = teams.find(({ id }) => id === teamId)
  const types = useMemo(() => typesOf(team), [team])
  const details = useDetails({ incidentId, team, type, edited })

  function toResponder(fields: Fields): NewResponder {
    const base = { incident_id: incidentId, created_by: user.id }
    if (fields.personId !== '') return { ...base, type: 'person', person_id: fields.personId, properties: {} }
    return {
      ...base,
      type: 'system',
      team_id: fields.teamId,
      properties: { responderType: fields.type, ...details.values },
    }
  }

  const isPerson = step === 'responder' && personId !== ''
  const next = { responder: 'type', type: 'details', details: null } as const
  const nextStep = isPerson ? null : next[step]
  return (
    <FormDialog
      form={form}
      title="Add responder"
      action={nextStep === null ? (isPerson ? 'Add' : 'Save') : 'Next'}
      isDisabled={step === 'responder' ? !team && personId === '' : type === ''}
      isQuick={step !== 'details'}
      onNext={nextStep === null ? undefined : () => setStep(nextStep)}
      onBack={step === 'responder' ? undefined : () => setStep(step === 'details' ? 'type' : 'responder')}
      onClose={onClose}
    >
      <Steps names={personId === '' ? Object.values(STEP_NAMES) : [STEP_NAMES.responder]} current={STEP_NAMES[step]} />
      {step === 'responder' ? (
        <>
          <SelectField
            label="Team"
            placeholder={teamsAnswer.isPending ? 'Loading teams…' : 'Select a team'}
            error={areTeamsUnread ? unreadText('Teams') : undefined}
            options={teams.map(({ id, name }) => ({ value: id, label: name }))}
            value={teamId}
            onChange={(id) => form.reset({ ...NOBODY, teamId: id })}
          />
          <SelectField
            label="or Person"
            placeholder={isLoaded ? 'Select a person' : 'Loading people…'}
            error={hasFailed ? unreadText('People') : undefined}
            options={present.map((person) => ({ value: person.id, label: personName(person) }))}
            value={personId}
            onChange={(id) => {
              form.set('personId', id)
              form.set('teamId', '')
            }}
          />
          {areTeamsUnread || hasFailed ? (
            <Button
              size="small"
              icon={<Refresh size={14} />}
              text="Try again"
              loading={teamsAnswer.isFetching}
              onClick={() => {
                if (areTeamsUnread) void teamsAnswer.refetch()
                if (hasFailed) void readPeople()
              }}
            />
          ) : null}
        </>
      ) : null}
      {step === 'type' && types.length === 0 ? <p>There are no responders configured for this team</p> : null}
      {step === 'type' && types.length > 0 ? (
        <div className={styles['types']}>
          <RadioField
            label="Notify through"
            options={types.map((each) => ({ value: each, label: RESPONDERS[each].title }))}
            value={type}
            onChange={(chosen) => {
              if (chosen !== type)
                form.reset({ ...form.values, type: types.find((each) => each === chosen) ?? '', edited: {} })
            }}
          />
        </div>
      ) : null}
      {step === 'details' && type !== '' ? (
        <ResponderDetailsForm
          type={type}
          values={details.values}
          locked={details.locked}
          errorAt={(field) => form.errorAt(`edited.${field}`)}
          onChange={(field, value) => form.set('edited', editField(edited, field, value))}
        />
      ) : null}
    </FormDialog>
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
  readonly type: ResponderType | ''
  readonly edited: FormValues
}

/** The current values of the form, and which of them are fixed. */
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
    if (type === '') return { values: {}, locked: new Set() }
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
