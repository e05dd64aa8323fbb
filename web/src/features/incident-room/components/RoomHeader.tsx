import { EyeOn, Redo, Undo } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { type IncidentStatus, toLabel } from '@watchroom/shared/incidents'
import { useContext } from 'react'

import { usePeople } from '../../../api/people.ts'
import { CollabText } from '../../../collab/CollabText.tsx'
import type { PresentPeer } from '../../../collab/contract.ts'
import { useConnection } from '../../../collab/IncidentRoomProvider.tsx'
import { NotSaved } from '../../../collab/NotSaved.tsx'
import { PresenceAvatars } from '../../../collab/PresenceAvatars.tsx'
import { SavePill } from '../../../collab/SavePill.tsx'
import { TouchMark } from '../../../collab/TouchMark.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { CommandButton } from '../../../ui/CommandButton.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Pending } from '../../../ui/Pending.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { DownloadSnapshot } from '../evidence/DownloadSnapshot.tsx'
import { RoomTools } from '../evidenceActions.ts'
import { incidentRowQuery } from '../incidentRow.ts'
import { nameOfPlace } from '../places.ts'
import { SEVERITY_TONES } from '../words.ts'
import { ComponentChips } from './ComponentChips.tsx'
import { RoomCommands } from './RoomCommands.tsx'
import { StatusMenu } from './StatusMenu.tsx'

import styles from '../incidentRoom.module.css'

interface RoomHeaderProps {
  readonly incidentId: string
  readonly onStatus: (status: IncidentStatus) => void
  readonly onChoosePeer: (peer: PresentPeer) => void
}

/** Which incident this is, who is here, how far edits got, and the status. What changes all the time is in separate components. */
export function RoomHeader({ incidentId, onStatus, onChoosePeer }: RoomHeaderProps) {
  const { data: row } = useQuery(incidentRowQuery(incidentId))
  // Not the whole incident: that is a new object with every letter of its description.
  const plainTitle = useIncidentPart((room) => room.view.incident.title)
  const status = useIncidentPart((room) => room.view.incident.status)
  const severity = useIncidentPart((room) => room.view.incident.severity)
  const edit = useIncidentPart((room) => room.edit)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const displayId = row?.incident_id ?? 'Incident'
  const isClosed = status === 'closed'
  return (
    <header className={styles['header']} data-tone={SEVERITY_TONES[severity]}>
      <PageHeader title={displayId} spokenTitle={plainTitle} tabTitle={`${displayId} ${plainTitle}`} />
      <div className={styles['headerLine']}>
        <div className={styles['headerTools']}>
          <Present onChoosePeer={onChoosePeer} />
          <SaveState />
          {canWrite ? <UndoTools /> : null}
          {useContext(RoomTools)(incidentId)}
          <DownloadSnapshot subject={{ kind: 'incident', id: incidentId, name: displayId }} />
        </div>
      </div>
      <div className={styles['headerLine']}>
        <div className={styles['incidentTitle']}>
          {canWrite ? (
            <CollabText text={edit.incidentText('title')} field="incident/title" aria-label="Title of the incident" />
          ) : (
            <strong>{plainTitle}</strong>
          )}
        </div>
        <div className={styles['headerStatus']}>
          <span className={styles['fact']}>
            <StatusMenu status={status} canChange={canWrite} onChoose={onStatus} />
            <TouchMark path="incident/status" isSmall />
          </span>
          {canWrite ? (
            <CommandButton
              command={isClosed ? 'Reopen the incident' : 'Close the incident'}
              text={isClosed ? 'Reopen' : 'Close'}
              onClick={() => onStatus(isClosed ? 'open' : 'closed')}
            />
          ) : null}
        </div>
      </div>
      <NotSaved entity="incidents" id={incidentId} />
      <HeaderFacts incidentId={incidentId} />
      {canWrite ? <RoomCommands onStatus={onStatus} /> : null}
    </header>
  )
}

/** Who else is here, and whether they may follow. */
function Present({ onChoosePeer }: Pick<RoomHeaderProps, 'onChoosePeer'>) {
  const connection = useConnection()
  const peers = useIncidentPart((room) => room.peers)
  const following = useIncidentPart((room) => room.following)
  const isLeading = useIncidentPart((room) => Boolean(room.self.leading))
  const lead = useIncidentPart((room) => room.lead)
  return (
    <>
      <PresenceAvatars
        peers={peers}
        following={following}
        nameOfPlace={(entity) => nameOfPlace(connection.room().view, entity)}
        onChoose={onChoosePeer}
      />
      {peers.length > 0 ? (
        <CommandButton
          isIcon
          icon={<EyeOn size={14} />}
          command={isLeading ? 'Stop letting others follow you' : 'Let others follow you'}
          active={isLeading}
          onClick={() => lead(!isLeading)}
        />
      ) : null}
    </>
  )
}

function SaveState() {
  const canWrite = useIncidentPart((room) => room.canWrite)
  const heardAt = useIncidentPart((room) => room.heardAt)
  const { room } = useConnection()
  return (
    <SavePill
      save={useIncidentPart(({ save }) => save)}
      canWrite={canWrite}
      heardAt={heardAt}
      nameOf={({ entity, id }) => nameOfPlace(room().view, `${PLACES.get(entity) ?? entity}/${id}`)}
    />
  )
}

/** Roots of the document whose tables have different names. */
const PLACES: ReadonlyMap<string, string> = new Map([
  ['incidents', 'incident'],
  ['evidences', 'evidence'],
])

function UndoTools() {
  const undo = useIncidentPart((room) => room.undo)
  const canUndo = useIncidentPart((room) => room.undo.canUndo())
  const canRedo = useIncidentPart((room) => room.undo.canRedo())
  return (
    <>
      <CommandButton
        isIcon
        icon={<Undo size={14} />}
        command="Undo"
        disabled={!canUndo}
        onClick={() => void undo.undo()}
      />
      <CommandButton
        isIcon
        icon={<Redo size={14} />}
        command="Redo"
        disabled={!canRedo}
        onClick={() => void undo.redo()}
      />
    </>
  )
}

/** Facts about the incident on one line. What is not known yet is not claimed, and what could not be loaded is left out. */
function HeaderFacts({ incidentId }: { incidentId: string }) {
  const { data: row, isPending } = useQuery(incidentRowQuery(incidentId))
  const severity = useIncidentPart((room) => room.view.incident.severity)
  const type = useIncidentPart((room) => room.view.incident.type)
  const commanderId = useIncidentPart((room) => room.view.incident.commander_id)
  const canWrite = useIncidentPart((room) => room.canWrite)
  const { nameOf, isLoaded } = usePeople()
  return (
    <div className={styles['headerFacts']}>
      <span className={styles['fact']}>
        <SeverityBars severity={severity} />
        <TouchMark path="incident/severity" isSmall />
      </span>
      <span className={styles['fact']}>
        {toLabel(type)}
        <TouchMark path="incident/type" isSmall />
      </span>
      {isPending || row?.created_at ? (
        <span className="wr-muted">
          opened {isPending ? <Pending letters={7} /> : <TimeAgo at={row?.created_at} />}
        </span>
      ) : null}
      <span className={`${styles['fact']} wr-muted`}>
        <TouchMark path="incident/commander_id" isSmall />
        {commanderId === null ? (
          'no commander'
        ) : (
          <>led by {nameOf(commanderId) ?? (isLoaded ? 'someone unknown' : <Pending letters={12} />)}</>
        )}
      </span>
      {canWrite ? null : <span className={styles['readOnly']}>Read only</span>}
      <ComponentChips />
    </div>
  )
}
