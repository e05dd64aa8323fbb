import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useLayoutEffect, useState } from 'react'

import { systemClock } from './clock.ts'
import { createLiveClient, type LiveClient } from './createLiveClient.ts'
import { createOpenSocket, inflateRaw } from './openSocket.ts'

const LiveContext = createContext<LiveClient | null>(null)

/** Longer than a page takes to show its frame. A client that is unused by then belongs to a page that has navigated away. */
const WANTED_WITHIN_MS = 5_000

type Viewer = 'person' | 'device'

/** The client of the page: rows of every topic go into the query cache under `topicKey`. */
function createBrowserLiveClient(queryClient: QueryClient, as: Viewer): LiveClient {
  // The reducer already keeps identity; comparing 10,000 rows again with each change would only cost time.
  queryClient.setQueryDefaults(['live'], { structuralSharing: false, staleTime: Infinity })
  return createLiveClient({
    openSocket: createOpenSocket('', undefined, as),
    clock: systemClock,
    random: Math.random,
    inflate: inflateRaw,
    onRows: (key, rows) => queryClient.setQueryData(key, rows),
    knownRows: (key) => queryClient.getQueryData(key),
  })
}

const ahead = new WeakMap<QueryClient, LiveClient>()

/**
 * Creates the client as soon as a session is found, while the page is still asking what the person may see: the gateway checks that
 * itself. The first provider takes over the client and what it watches by then.
 */
export function openLiveAhead(queryClient: QueryClient): LiveClient {
  const client = createBrowserLiveClient(queryClient, 'person')
  ahead.set(queryClient, client)
  systemClock.schedule(() => takeAhead(queryClient)?.close(), WANTED_WITHIN_MS)
  return client
}

/** Only for the page's first provider: a later one may belong to another person. */
function takeAhead(queryClient: QueryClient): LiveClient | undefined {
  const client = ahead.get(queryClient)
  ahead.delete(queryClient)
  return client
}

interface LiveProviderProps {
  /** Passed in by tests; the page creates its own. */
  readonly client?: LiveClient
  /** A screen without an account brings a credential of its own. */
  readonly as?: Viewer
  readonly children: ReactNode
}

/** Mount it only for a signed-in user, and remount it for another one: the socket carries the session it was opened with. */
export function LiveProvider({ client: given, as = 'person', children }: LiveProviderProps): ReactNode {
  const queryClient = useQueryClient()
  const isPerson = as === 'person'
  const [own, setOwn] = useState(() => (isPerson && ahead.get(queryClient)) || null)

  // Before the paint, so that subscriptions go out with the first commit.
  useLayoutEffect(() => {
    if (given) return undefined
    const client = (isPerson && takeAhead(queryClient)) || createBrowserLiveClient(queryClient, as)
    // If its link ended in the meantime, nobody was listening.
    client.nudge()
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
  }, [given, as, isPerson, queryClient])

  return <LiveContext value={given ?? own}>{children}</LiveContext>
}

/** The client, or null during the very first render. */
export function useLiveClient(): LiveClient | null {
  return useContext(LiveContext)
}
