import { useParams } from '@tanstack/react-router'
import { isUuid } from '@watchroom/shared/kernel'

import { IncidentRoomProvider } from '../../../collab/IncidentRoomProvider.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { IncidentByNumber } from '../components/IncidentByNumber.tsx'
import { IncidentNotFound, IncidentRoomView } from '../components/IncidentRoomView.tsx'

/** The number as shown in lists, headings and mails. */
const NUMBER = /^INC-\d+$/i

/** One incident, worked on together. */
export function IncidentScreen() {
  const { id = '' } = useParams({ strict: false })
  if (NUMBER.test(id)) return <IncidentByNumber number={id.toUpperCase()} />
  // Anything but an id cannot exist, so the server need not be asked.
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
