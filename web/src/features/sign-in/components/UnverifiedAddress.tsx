import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'

import { ownSessionsQuery } from '../ownSessionsQuery.ts'

import styles from '../signIn.module.css'

/** That nobody knows yet whether the owner of this account reads mail to its address. Nothing where it is verified. */
export function UnverifiedAddress() {
  const { data: sessions } = useQuery(ownSessionsQuery())
  const address = sessions?.[0]?.identity.verifiable_addresses?.find(({ verified }) => !verified)
  if (address === undefined) return null
  return (
    <p className={styles['unverified']}>
      {address.value} is not verified yet.{' '}
      <Link to="/verification" search={{ return_to: '/profile-settings' }}>
        Verify this address
      </Link>
    </p>
  )
}
