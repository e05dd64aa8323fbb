import { Button } from '@blueprintjs/core'
import { Plus, Trash } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import type { ResponderEvent } from '@watchroom/shared/incidents'
import { ownValue } from '@watchroom/shared/kernel'
import { incidentTopic } from '@watchroom/shared/protocol'
import { type ReactNode, useState } from 'react'

import { useSession } from '../../../api/session.tsx'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { PicturedName } from '../../../ui/config/PicturedName.tsx'
import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { parseMoment } from '../../../ui/formatTime.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { useExactTime } from '../../../ui/useExactTime.ts'
import { AddResponderDialog } from './AddResponderDialog.tsx'
import { removeResponder } from './queries.ts'
import { toStages } from './responderStages.ts'
import { CALLED_HERE, isResponderType, readResponderType, RESPONDERS } from './responderTypes.ts'

import styles from '../evidence/evidence.module.css'

interface RespondersProps {
  readonly incidentId: string
}

/** Who was called in, and how far each has come. */
export function Responders({ incidentId }: RespondersProps): ReactNode {
  const { can } = useSession()
  const { rows, state, error } = useTopic(incidentTopic, { id: incidentId })
  const [isAdding, setAdding] = useState(false)
  const responders = rows.filter((row) => row.kind === 'responder')
  // The document learns of a lowered role at once, the session only with the next request.
  const isWritable = useIncidentPart((room) => room.canWrite)
  const canWrite = isWritable && can('write', 'responder')

  return (
    <div className={styles['responders']}>
      {responders.length > 0 ? (
        <ul className={styles['list']} aria-label="Responders">
          {responders.map((responder) => (
            <ResponderItem key={responder.id} responder={responder} canWrite={canWrite} />
          ))}
        </ul>
      ) : (
        <p className="wr-muted">{emptyText(state, error?.message)}</p>
      )}
      {canWrite ? <Button icon={<Plus />} size="small" text="Add responder" onClick={() => setAdding(true)} /> : null}
      {isAdding ? <AddResponderDialog incidentId={incidentId} onClose={() => setAdding(false)} /> : null}
    </div>
  )
}

/** Nobody may seem absent just because the answer has not arrived yet. */
function emptyText(state: string, reason: string | undefined): string {
  if (state === 'loading') return 'Loading responders…'
  if (state === 'denied' || state === 'failed') return `Responders can’t be shown: ${reason ?? state}`
  return 'Nobody has been called in yet.'
}

interface ResponderItemProps {
  readonly responder: ResponderEvent
  readonly canWrite: boolean
}

function ResponderItem({ responder, canWrite }: ResponderItemProps): ReactNode {
  const toExact = useExactTime()
  const [isRemoving, setRemoving] = useState(false)
  const name = responder.person?.name ?? responder.team?.name ?? 'Unknown responder'
  const remove = useMutation({
    mutationFn: () => removeResponder(responder.id),
    onSuccess: () => {
      showToast('Responder deleted successfully')
      setRemoving(false)
    },
  })

  return (
    <li className={styles['responder']}>
      <div className={styles['head']}>
        <strong className={styles['title']}>
          {responder.person || !responder.team ? (
            name
          ) : (
            <PicturedName name={name} type="team" icon={responder.team.icon} />
          )}
        </strong>
        <span className={styles['label']}>{kindOf(responder)}</span>
        <ExternalTicket responder={responder} />
        {canWrite ? (
          <span className={styles['actions']}>
            <IconButton icon={<Trash />} label={`Remove ${name}`} size="small" onClick={() => setRemoving(true)} />
          </span>
        ) : null}
      </div>
      <Calling responder={responder} />
      <ol className={styles['stages']} aria-label={`Progress of ${name}`}>
        {toStages(responder).map(({ name: stage, at, state }) => (
          <li
            key={stage}
            className={styles['stage']}
            data-stage={state}
            {...(state === 'current' ? { 'aria-current': 'step' as const } : {})}
          >
            {stage}
            {at === null ? null : <time dateTime={at}>{toExact(parseMoment(at))}</time>}
          </li>
        ))}
      </ol>
      {isRemoving ? (
        <ConfirmMutation
          title={`Remove ${name}?`}
          action="Remove responder"
          mutation={remove}
          onConfirm={() => remove.mutate()}
          onCancel={() => setRemoving(false)}
        >
          {name} leaves the responders of this incident for everyone.
        </ConfirmMutation>
      ) : null}
    </li>
  )
}

function kindOf({ person_id: personId, properties }: ResponderEvent): string {
  if (personId !== null) return RESPONDERS.person.title
  const type = readResponderType(properties)
  if (type === null) return 'Team'
  return isResponderType(type) ? RESPONDERS[type].title : type
}

/** Why a team cannot be called in, or that this backend does not call it in. */
function Calling({ responder }: { responder: ResponderEvent }): ReactNode {
  const { team_id: teamId, external_id: ticket, properties } = responder
  if (!teamId || ticket) return null
  const reason = properties?.['error']
  if (typeof reason === 'string') return <p role="note">Not called in yet: {reason}</p>
  const type = readResponderType(properties)
  if (type === null || CALLED_HERE.has(type)) return null
  return <p className="wr-muted">Recorded. {isResponderType(type) ? RESPONDERS[type].title : type} runs elsewhere.</p>
}

/** The ticket in the other system, with a link where the team's settings say how one is made. */
function ExternalTicket({ responder }: { responder: ResponderEvent }): ReactNode {
  const { external_id: ticket, team, properties } = responder
  if (!ticket) return null
  const template = ownValue(team?.spec?.responder_clients, readResponderType(properties) ?? '')?.linkUrl
  const given = properties?.['link']
  const kept = typeof given === 'string' ? given : undefined
  const address = template?.replaceAll('ID', () => encodeURIComponent(ticket)) ?? kept
  // Both are written by people: only an address of the web may be opened.
  return address && /^https?:\/\//i.test(address) ? (
    <a href={address} target="_blank" rel="noreferrer">
      {ticket}
    </a>
  ) : (
    <span>{ticket}</span>
  )
}
