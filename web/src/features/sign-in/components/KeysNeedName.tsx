import { canHoldKeys } from '@watchroom/shared/identity'

import styles from '../signIn.module.css'

/** Why no key is offered, where the reason is the address of the page; nothing elsewhere. */
export function KeysNeedName() {
  const { hostname } = window.location
  if (canHoldKeys(hostname)) return null
  const isHere = hostname.startsWith('127.') || hostname === '[::1]'
  return (
    <p className={styles['keysNote']}>
      Security keys and passkeys need a host name, and this page is open at an IP address. Open Watchroom by its name
      {isHere ? ', such as localhost,' : ''} to use them.
    </p>
  )
}
