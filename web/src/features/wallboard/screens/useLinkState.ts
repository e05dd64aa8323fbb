import { useSyncExternalStore } from 'react'

import type { LinkState } from '../../../live/contract.ts'
import { useLiveClient } from '../../../live/LiveProvider.tsx'

const CONNECTING: LinkState = { kind: 'connecting' }
const subscribeToNothing = (): (() => void) => () => undefined

/** The link to the gateway as it is now. */
export function useLinkState(): LinkState {
  const client = useLiveClient()
  return useSyncExternalStore(client?.onLink ?? subscribeToNothing, () => client?.link() ?? CONNECTING)
}
