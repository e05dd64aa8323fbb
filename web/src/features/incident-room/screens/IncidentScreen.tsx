import { useParams } from '@tanstack/react-router'

import { IncidentRoomProvider } from '../../../collab/IncidentRoomProvider.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { IncidentNotFound, IncidentRoomView } from '../components/IncidentRoomView.tsx'

// No document has another name, and a server asked for one would only say so.
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i

/** One incident, worked on together. */
export function IncidentScreen() {
  const { id = '' } = useParams({ strict: false })
  if (!UUID.test(id))
    return (
      <>
        <PageHeader title="Incident" />
        <IncidentNotFound />
      </>
    )
  return (
    <IncidentRoomProvider key={id} id={id}>
      <IncidentRoomView incidentId={id} />
    </IncidentRoomProvider>
  )
}
