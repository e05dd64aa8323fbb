import { Callout } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { mayUseRoute, OPERATION_ROUTES } from '@watchroom/shared/access'
import { OwnCredentialSchema } from '@watchroom/shared/identity'

import { ownCredentialKey } from '../api/queryKeys.ts'
import { request } from '../api/request.ts'
import { useSession } from '../api/session.tsx'

import styles from './shell.module.css'

const { readCredential } = OPERATION_ROUTES
/** Fixing it means restarting the gateway. */
const STALE_MS = 60_000
/** A gateway that has just started may not know yet, or may be refused briefly. It asks again, and so does the notice. */
const RETRY_MS = 15_000
/** A token expires while the page is open. */
const LOOK_MS = 300_000

/** Tells administrators that the backend does not show the gateway everything, and what to do about it. */
export function CredentialNotice() {
  const { roles } = useSession()
  const { data } = useQuery({
    queryKey: ownCredentialKey,
    queryFn: ({ signal }) => request(readCredential.path, { schema: OwnCredentialSchema, signal }),
    enabled: mayUseRoute(readCredential.access, roles),
    staleTime: STALE_MS,
    refetchInterval: ({ state }) => (state.data?.isSound === false ? RETRY_MS : LOOK_MS),
  })
  if (!data?.text || data.isSound) return null
  return (
    <Callout compact intent="warning" className={`${styles['credentialNotice']}`}>
      {data.text}
    </Callout>
  )
}
