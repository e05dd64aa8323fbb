import { Button, Callout, Intent, Tag } from '@blueprintjs/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '@watchroom/shared/identity'

import { endOtherSessions } from '../../../api/identity.ts'
import { identityKeys } from '../../../api/queryKeys.ts'
import { errorText } from '../../../api/request.ts'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { TimeAgo } from '../../../ui/TimeAgo.tsx'
import { ownSessionsQuery } from '../ownSessionsQuery.ts'

import styles from '../signIn.module.css'

/** Where someone is signed in, and how to end that. */
export function OwnSessions() {
  const queryClient = useQueryClient()
  const query = useQuery(ownSessionsQuery())
  const ending = useMutation({
    mutationFn: (id: string | undefined) => endOtherSessions(id),
    onSettled: () => queryClient.invalidateQueries({ queryKey: identityKeys.ownSessions }),
  })
  return (
    <section className={styles['profileSection']}>
      <h2>Your Sessions</h2>
      {ending.error === null ? null : (
        <Callout intent={Intent.DANGER} icon={null} role="alert">
          {errorText(ending.error)}
        </Callout>
      )}
      <QueryStates query={query} what="your sessions">
        {(sessions) => (
          <>
            <ul className={styles['sessions']} aria-label="Your sessions">
              {sessions.map((session, place) => (
                <li key={session.id}>
                  <SessionText session={session} />
                  {place === 0 ? (
                    <Tag minimal intent={Intent.SUCCESS}>
                      This browser
                    </Tag>
                  ) : (
                    <Button
                      size="small"
                      variant="outlined"
                      text="Sign out"
                      aria-label={`Sign out ${describe(session)}`}
                      loading={ending.isPending && ending.variables === session.id}
                      onClick={() => ending.mutate(session.id)}
                    />
                  )}
                </li>
              ))}
            </ul>
            {sessions.length > 1 ? (
              <Button
                intent={Intent.DANGER}
                variant="outlined"
                text="Sign out everywhere else"
                loading={ending.isPending && ending.variables === undefined}
                onClick={() => ending.mutate(undefined)}
              />
            ) : null}
          </>
        )}
      </QueryStates>
    </section>
  )
}

function SessionText({ session }: { session: Session }) {
  return (
    <div>
      <div className={styles['sessionDevice']}>{describe(session)}</div>
      <div className="wr-muted">
        Signed in <TimeAgo at={session.authenticated_at} />
        {session.authenticator_assurance_level === 'aal2' ? ', with two factors' : ''}
      </div>
    </div>
  )
}

const BROWSERS = [
  ['Edge', /Edg\//],
  ['Firefox', /Firefox\//],
  ['Chrome', /Chrome\//],
  ['Safari', /Safari\//],
] as const

/** The browser or program, and where it is. */
function describe({ devices }: Session): string {
  const device = devices?.at(0)
  const agent = device?.user_agent ?? ''
  const browser = BROWSERS.find(([, pattern]) => pattern.test(agent))?.[0]
  const name = browser ?? (agent === '' ? 'Unknown program' : agent.slice(0, 40))
  return device === undefined || device.ip_address === '' ? name : `${name} at ${device.ip_address}`
}
