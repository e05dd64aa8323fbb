import { Button } from '@blueprintjs/core'
import { EyeOn, Redo, Undo } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { IncidentStatus } from '@watchroom/shared/incidents'

import { CollabText } from '../../../../collab/CollabText.tsx'
import type { PresentPeer } from '../../../../collab/contract.ts'
import { PresenceAvatars } from '../../../../collab/PresenceAvatars.tsx'
import { SavePill } from '../../../../collab/SavePill.tsx'
import { useIncident } from '../../../../collab/useIncident.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { incidentRowQuery } from '../../incidentRow.ts'
import { nameOfPlace } from './places.ts'
import { StatusMenu } from './StatusMenu.tsx'

interface RoomHeaderProps {
  readonly incidentId: string
  readonly onStatus: (status: IncidentStatus) => void
  readonly onChoosePeer: (peer: PresentPeer) => void
}

/** Which incident this is, who is here, how far edits got, and the status. */
export function RoomHeader({ incidentId, onStatus, onChoosePeer }: RoomHeaderProps) {
  const room = useIncident(incidentId)
  const { data: row } = useQuery(incidentRowQuery(incidentId))
  const { title, status } = room.view.incident
  const displayId = row?.incident_id ?? 'Incident'
  const isClosed = status === 'closed'
  const isLeading = Boolean(room.self.leading)
  return (
    <header className="room-header">
      <PageHeader title={displayId} tabTitle={`${displayId} ${title}`} />
      <nav className="room-breadcrumb" aria-label="Breadcrumb">
        <Link to="/incidents">Incidents</Link>
        <span aria-hidden>/</span>
        <span className="wr-mono">{displayId}</span>
        {room.canWrite ? (
          <span className="room-incident-title">
            <CollabText
              text={room.edit.incidentText('title')}
              field="incident/title"
              aria-label="Title of the incident"
            />
          </span>
        ) : (
          <strong className="room-incident-title">{title}</strong>
        )}
      </nav>
      <div className="room-header-tools">
        <PresenceAvatars
          peers={room.peers}
          following={room.following}
          nameOfPlace={(entity) => nameOfPlace(room.view, entity)}
          onChoose={onChoosePeer}
        />
        {room.peers.length > 0 ? (
          <IconButton
            icon={<EyeOn size={14} />}
            label={isLeading ? 'Stop letting others follow you' : 'Let others follow you'}
            active={isLeading}
            onClick={() => room.lead(!isLeading)}
          />
        ) : null}
        <SavePill save={room.save} />
        {room.canWrite ? (
          <>
            <IconButton
              icon={<Undo size={14} />}
              label="Undo"
              disabled={!room.undo.canUndo()}
              onClick={() => void room.undo.undo()}
            />
            <IconButton
              icon={<Redo size={14} />}
              label="Redo"
              disabled={!room.undo.canRedo()}
              onClick={() => void room.undo.redo()}
            />
          </>
        ) : null}
        <StatusMenu status={status} disabled={!room.canWrite} onChoose={onStatus} />
        {room.canWrite ? (
          <Button text={isClosed ? 'Reopen' : 'Close'} onClick={() => onStatus(isClosed ? 'open' : 'closed')} />
        ) : null}
      </div>
    </header>
  )
}
