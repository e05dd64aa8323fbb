import { mayModerate } from '@watchroom/shared/access'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'

import { useSession } from '../api/session.tsx'
import { announceSessionEnded } from '../api/sessionEnded.ts'
import { useScreenClock } from '../ui/clock.tsx'
import type { IncidentConnection } from './createIncidentConnection.ts'
import { openIncidents } from './openIncidents.ts'
import { useUndoKeys } from './useUndoKeys.ts'

const RoomContext = createContext<IncidentConnection | null>(null)

interface IncidentRoomProviderProps {
  readonly id: string
  /** Passed in by tests; the page opens its own. */
  readonly connection?: IncidentConnection
  readonly children: ReactNode
}

/** Opens the shared document of an incident for the screen below it. One per screen. */
export function IncidentRoomProvider({ id, connection: given, children }: IncidentRoomProviderProps): ReactNode {
  const { user, roles, can } = useSession()
  const { serverNow } = useScreenClock()
  const [own, setOwn] = useState<{ id: string; connection: IncidentConnection } | null>(null)
  const { id: userId, name, email, avatar } = user
  const canWrite = can('write', 'incident')
  const isModerator = mayModerate(roles)
  const displayName = name || (email ?? '')
  // Neither a better clock nor changed rights reopen the document: what was typed and not sent would be lost.
  const latest = useRef({ serverNow, displayName, avatar, canWrite, isModerator })
  useEffect(() => {
    latest.current = { serverNow, displayName, avatar, canWrite, isModerator }
  })

  useEffect(() => {
    if (given) return undefined
    const facts = latest.current
    const opened = openIncidents.open({
      incidentId: id,
      user: { id: userId, name: facts.displayName, avatar: facts.avatar ?? null },
      canWrite: facts.canWrite,
      isModerator: facts.isModerator,
      now: () => latest.current.serverNow(),
      onSessionEnded: announceSessionEnded,
    })
    setOwn({ id, connection: opened.connection })
    return opened.release
  }, [given, id, userId])

  useEffect(() => own?.connection.setModerator(isModerator), [own, isModerator])

  // Nothing for one frame when the incident changes: the previous one must not show.
  const connection = given ?? (own?.id === id ? own.connection : null)
  useUndoKeys(connection)
  if (connection === null) return null
  return <RoomContext value={connection}>{children}</RoomContext>
}

/** @throws Error outside a provider */
export function useConnection(): IncidentConnection {
  const connection = useContext(RoomContext)
  if (connection === null) throw new Error('useConnection outside IncidentRoomProvider')
  return connection
}
