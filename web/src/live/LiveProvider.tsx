import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react'

import { systemClock } from './clock.ts'
import type { OpenSocket } from './contract.ts'
import { createLiveClient, type LiveClient } from './createLiveClient.ts'
import { openAhead } from './openAhead.ts'
import { createOpenSocket, inflateRaw } from './openSocket.ts'

const LiveContext = createContext<LiveClient | null>(null)

/** The client of the page: rows of every topic go into the query cache under `topicKey`. */
function createBrowserLiveClient(queryClient: QueryClient, openSocket: OpenSocket): LiveClient {
  // Identity is kept by the reducer already; comparing 10,000 rows again with each change would only cost time.
  queryClient.setQueryDefaults(['live'], { structuralSharing: false, staleTime: Infinity })
  return createLiveClient({
    openSocket,
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    onRows: (key, rows) => queryClient.setQueryData(key, rows),
    knownRows: (key) => queryClient.getQueryData(key),
  })
}

let ahead: OpenSocket | null = null

/** Opens the socket of the person whose session was just found, while the page still learns what they may see: the gateway judges by itself. */
export function openLiveAhead(): void {
  ahead ??= openAhead(createOpenSocket(), systemClock)
}

/** The one opened ahead serves the page's first client only: a later one may be of another person. */
function toOpenSocket(as: 'person' | 'device'): OpenSocket {
  const opened = as === 'person' ? ahead : null
  ahead = null
  return opened ?? createOpenSocket('', undefined, as)
}

interface LiveProviderProps {
  /** Given by tests; the page makes its own. */
  readonly client?: LiveClient
  /** A screen without an account brings a credential of its own. */
  readonly as?: 'person' | 'device'
  readonly children: ReactNode
}

/** Mount it only for a signed-in user, and anew for another one: the socket carries the session it was opened with. */
export function LiveProvider({ client: given, as = 'person', children }: LiveProviderProps): ReactNode {
  const queryClient = useQueryClient()
  const [own, setOwn] = useState<LiveClient | null>(null)

  useEffect(() => {
    if (given) return undefined
    const client = createBrowserLiveClient(queryClient, toOpenSocket(as))
    const handleVisible = (): void => {
      if (document.visibilityState === 'visible') client.nudge()
    }
    window.addEventListener('online', client.nudge)
    document.addEventListener('visibilitychange', handleVisible)
    // oxlint-disable-next-line react/set-state-in-effect -- a socket may be opened only by a mounted tree, never by a render
    setOwn(client)
    return () => {
      window.removeEventListener('online', client.nudge)
      document.removeEventListener('visibilitychange', handleVisible)
      client.close()
    }
  }, [given, as, queryClient])

  return <LiveContext value={given ?? own}>{children}</LiveContext>
}

/** The client, or null during the very first render. */
export function useLiveClient(): LiveClient | null {
  return useContext(LiveContext)
}
