import { NIL_UUID } from '@watchroom/shared/kernel'
import type { CloseName } from '@watchroom/shared/protocol'

import type { Identity } from '../access/contract.ts'
import type { Watcher } from '../polling/contract.ts'
import type { Device } from '../wall/contract.ts'
import { liveErrors } from './errors.ts'

/** Who stands behind a socket. A person's rights are the matrix's, a device's are one topic instance (LIVE-58). */
export type Principal =
  | { readonly kind: 'person'; readonly identity: Identity }
  | { readonly kind: 'device'; readonly device: Device }

/** How a socket ends whose credential is not valid, or no longer. */
export const CREDENTIAL_ENDED = {
  person: { reason: 'loginNeeded', message: liveErrors.LIVE_SESSION_REQUIRED.message },
  device: { reason: 'accessRemoved', message: liveErrors.LIVE_DEVICE_REMOVED.message },
} as const satisfies Record<Principal['kind'], { reason: CloseName; message: string }>

export const isSamePrincipal = (a: Principal, b: Principal): boolean =>
  a.kind === 'person'
    ? b.kind === 'person' && a.identity.userId === b.identity.userId
    : b.kind === 'device' && a.device.linkId === b.device.linkId

export const hasSameRoles = (a: Principal, b: Principal): boolean =>
  a.kind !== 'person' || b.kind !== 'person' || a.identity.roles.join() === b.identity.roles.join()

/** By what a principal's sockets are counted; null for everyone together, where nobody signs in. */
export const nameOf = (principal: Principal): string | null => {
  if (principal.kind === 'device') return `device:${principal.device.linkId}`
  const { userId } = principal.identity
  return userId === NIL_UUID ? null : userId
}

/** Undefined for a screen: nobody is there. */
export const toWatcher = (principal: Principal): Watcher | undefined => {
  if (principal.kind === 'device') return undefined
  const { userId, name, email } = principal.identity
  return { userId, name: name || email }
}

export const toLogged = (principal: Principal): object =>
  principal.kind === 'person' ? { userId: principal.identity.userId } : { linkId: principal.device.linkId }
