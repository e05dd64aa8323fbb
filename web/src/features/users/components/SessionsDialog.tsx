import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fullNameOf, type Person } from '@watchroom/shared/people'
import { useState } from 'react'

import { ConfirmMutation } from '../../../ui/dialog/ConfirmMutation.tsx'
import { LoadingSkeleton } from '../../../ui/LoadingSkeleton.tsx'
import { QueryFailure } from '../../../ui/QueryFailure.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { showToast } from '../../../ui/toaster.ts'
import { endUserSessions, userSessionsQuery } from '../queries.ts'

import styles from '../users.module.css'

/** Where someone is signed in, and how to end that: all of it, at once. */
export function SessionsDialog({ person, onClose }: { person: Person; onClose: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const query = userSessionsQuery(person.id)
  const sessions = useQuery(query)
  const name = fullNameOf(person)
  const end = useMutation({
    mutationFn: () => endUserSessions(person.id),
    onSuccess: async () => {
      showToast(`Sessions of ${name} ended`)
      setAsking(false)
      await queryClient.invalidateQueries({ queryKey: query.queryKey })
    },
  })
  const list = sessions.data
  return (
    <SizedDialog isOpen size="small" title={`Sessions of ${name}`} onClose={onClose}>
      <DialogBody>
        {sessions.isError ? (
          <QueryFailure what="sessions" query={sessions} />
        ) : list === undefined ? (
          <LoadingSkeleton rows={2} label="Loading sessions" />
        ) : list.length === 0 ? (
          <p>{name} isn’t signed in anywhere.</p>
        ) : (
          <ul className={styles['sessions']}>
            {list.map((session) => (
              <li key={session.id}>
                <span>{session.userAgent ?? 'Unknown program'}</span>
                <span className="wr-muted">
                  {session.address ?? 'unknown address'} · since <TimeAgo at={session.issuedAt} />
                </span>
              </li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />}>
        <Button
          intent="danger"
          variant="outlined"
          text="End all sessions"
          disabled={list === undefined || list.length === 0}
          onClick={() => setAsking(true)}
        />
      </DialogFooter>
      {isAsking ? (
        <ConfirmMutation
          title={`End all sessions of ${name}?`}
          action="End all sessions"
          mutation={end}
          onCancel={() => setAsking(false)}
          onConfirm={() => end.mutate()}
        >
          Their open pages go to the sign-in page at once. They can sign in again.
        </ConfirmMutation>
      ) : null}
    </SizedDialog>
  )
}
