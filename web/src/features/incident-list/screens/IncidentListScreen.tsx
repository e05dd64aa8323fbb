import { incidentsTopic } from '@watchroom/shared/protocol'

import { useTopic } from '../../../live/useTopic.ts'
import { IncidentList } from '../components/IncidentList.tsx'
import { fetchIncidents } from '../queries.ts'

const OPTIONS = { fetchRows: fetchIncidents }

/** `/incidents`: what is being worked on, live. */
export function IncidentListScreen() {
  return <IncidentList topic={useTopic(incidentsTopic, {}, OPTIONS)} />
}
