import { useSyncExternalStore } from 'react'

import type { IncidentRoom } from './contract.ts'
import { useConnection } from './IncidentRoomProvider.tsx'

export type { IncidentRoom } from './contract.ts'

/**
 * The open incident document, inside `<IncidentRoomProvider id>`. Renders with every change of any part, carets of others
 * included: for the screen itself. Rows and panels take parts from it or use `useIncidentPart`.
 */
export function useIncident(_incidentId: string): IncidentRoom {
  const connection = useConnection()
  return useSyncExternalStore(connection.subscribe, connection.room)
}

/**
 * One part of the open document; renders only when that part is another object.
 *
 * @param select must give a part as it is (`(room) => room.view.hypotheses.get(id)`), not a new object each time
 */
export function useIncidentPart<Part>(select: (room: IncidentRoom) => Part): Part {
  const connection = useConnection()
  return useSyncExternalStore(connection.subscribe, () => select(connection.room()))
}
