import { useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'

import { IncidentRoomProvider } from '../../../collab/IncidentRoomProvider.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { IncidentByNumber } from '../components/IncidentByNumber.tsx'
import { IncidentNotFound, IncidentRoomView } from '../components/IncidentRoomView.tsx'

/** As the list, the heading and mails call one. */
const NUMBER = /^INC-\d+$/i

/** One incident, worked on together. */
export function IncidentScreen() {
  const { id = '' } = useParams({ strict: false })
  if (NUMBER.test(id)) return <IncidentByNumber number={id.toUpperCase()} />
  // No document has another name, and a server asked for one would only say so.
  if (!isUuid(id))
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
