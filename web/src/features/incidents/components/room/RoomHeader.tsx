import { Button } from '@blueprintjs/core'
import { ChevronRight, EyeOn, Redo, Undo } from '@blueprintjs/icons'
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
import { TimeAgo } from '../../../../ui/TimeAgo.tsx'
import { incidentRowQuery } from '../../incidentRow.ts'
import { toLabel } from '../../labels.ts'
import { usePeople } from '../../people.ts'
import { SeverityBars } from '../list/SeverityBars.tsx'
import { ComponentChips } from './ComponentChips.tsx'
import { nameOfPlace } from './places.ts'
import { StatusMenu } from './StatusMenu.tsx'
import { SEVERITY_TONES } from './words.ts'

interface RoomHeaderProps {
  readonly incidentId: string
  readonly onStatus: (status: IncidentStatus) => void
  readonly onChoosePeer: (peer: PresentPeer) => void
}

/** Which incident this is, who is here, how far edits got, and the status. */
export function RoomHeader({ incidentId, onStatus, onChoosePeer }: RoomHeaderProps) {
  const room = useIncident(incidentId)
  const { data: row } = useQuery(incidentRowQuery(incidentId))
  const { title: plainTitle, status, severity, type, commander_id: commanderId } = room.view.incident
  const { nameOf } = usePeople()
  const commander = commanderId === null ? undefined : nameOf(commanderId)
  const displayId = row?.incident_id ?? 'Incident'
  const isClosed = status === 'closed'
  const isLeading = Boolean(room.self.leading)
  const title = (
    <CollabText text={room.edit.incidentText('title')} field="incident/title" aria-label="Title of the incident" />
  )
  return (
    <header className="room-header" data-tone={SEVERITY_TONES[severity]}>
      <PageHeader title={displayId} tabTitle={`${displayId} ${plainTitle}`} />
      <div className="room-header-line">
        <nav className="room-breadcrumb" aria-label="Breadcrumb">
          <Link to="/incidents">Incidents</Link>
          <ChevronRight size={12} aria-hidden />
          <span className="wr-mono" aria-current="page">
            {displayId}
          </span>
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
        </div>
      </div>
      <div className="room-header-line">
        <div className="room-incident-title">{room.canWrite ? title : <strong>{plainTitle}</strong>}</div>
        <div className="room-header-status">
          <StatusMenu status={status} canChange={room.canWrite} onChoose={onStatus} />
          {room.canWrite ? (
            <Button text={isClosed ? 'Reopen' : 'Close'} onClick={() => onStatus(isClosed ? 'open' : 'closed')} />
          ) : null}
        </div>
      </div>
      <div className="room-header-facts">
        <SeverityBars severity={severity} />
        <span>{toLabel(type)}</span>
        <span className="wr-muted">
          opened <TimeAgo at={row?.created_at} />
        </span>
        <span className="wr-muted">{commander === undefined ? 'no commander' : `led by ${commander}`}</span>
        {room.canWrite ? null : <span className="room-read-only">Read only</span>}
        <ComponentChips />
      </div>
    </header>
  )
}
