import { Edit, User } from '@blueprintjs/icons'
import {
  canChangeStatus,
  INCIDENT_SEVERITY_OPTIONS,
  INCIDENT_STATUSES,
  INCIDENT_TYPE_OPTIONS,
  type IncidentSeverity,
  type IncidentStatus,
  type IncidentType,
  toLabel,
} from '@watchroom/shared/incidents'

import { personName, usePeople } from '../../../api/people.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { type CommandChoice, useCommand } from '../../../ui/commands.ts'

const NOBODY: CommandChoice = { id: '', title: 'Nobody' }
const FIELDS: readonly CommandChoice[] = [
  { id: 'status', title: 'Status' },
  { id: 'severity', title: 'Severity' },
  { id: 'type', title: 'Type' },
]
const toChoices = (options: readonly { value: string; label: string }[]): CommandChoice[] =>
  options.map(({ value, label }) => ({ id: value, title: label }))

/** Commands of the palette for the fields of the incident. Only for people who may write. */
export function RoomCommands({ onStatus }: { onStatus: (status: IncidentStatus) => void }): null {
  const edit = useIncidentPart((room) => room.edit)
  const status = useIncidentPart((room) => room.view.incident.status)
  const { present } = usePeople()
  useCommand({
    title: 'Assign commander to …',
    icon: <User />,
    steps: [
      {
        prompt: () => 'Assign commander to …',
        choices: () => [
          ...present.map((person) => ({ id: person.id, title: personName(person), note: person.email ?? '' })),
          NOBODY,
        ],
      },
    ],
    onRun: ([person]) => edit.setCommander(person === undefined || person === NOBODY ? null : person.id),
  })
  useCommand({
    title: 'Set … to …',
    icon: <Edit />,
    steps: [
      { prompt: () => 'Set … to …', choices: () => FIELDS },
      {
        prompt: ([field]) => `Set ${field?.title.toLowerCase() ?? ''} to …`,
        choices: ([field]) => {
          if (field?.id === 'severity') return toChoices(INCIDENT_SEVERITY_OPTIONS)
          if (field?.id === 'type') return toChoices(INCIDENT_TYPE_OPTIONS)
          return INCIDENT_STATUSES.filter((each) => each !== status && canChangeStatus(status, each)).map((each) => ({
            id: each,
            title: toLabel(each),
          }))
        },
      },
    ],
    onRun: ([field, value]) => {
      if (field?.id === 'severity') edit.setSeverity(value?.id as IncidentSeverity)
      else if (field?.id === 'type') edit.setType(value?.id as IncidentType)
      else onStatus(value?.id as IncidentStatus)
    },
  })
  return null
}
