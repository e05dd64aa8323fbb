import { OverlaysProvider } from '@blueprintjs/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createStore, Provider as PreferencesProvider } from 'jotai'
import { type ReactNode, useLayoutEffect, useState } from 'react'

import { createQueryClient } from '../api/queryClient.ts'
import { askSessionEarly, hasSessions } from '../api/session.tsx'
import { onSessionEnded } from '../api/sessionEnded.ts'
import type { LiveClient } from '../live/createLiveClient.ts'
import { openLiveAhead } from '../live/LiveProvider.tsx'
import { useApplyDensity } from '../preferences/density.ts'
import { useApplyTheme } from '../preferences/theme.ts'
import { forgetToldToasts } from '../ui/toastStore.ts'
import type { AppRouter } from './routes.tsx'

/** The providers around everything, and what the page does when its session ends. */
export function App({ router }: { router: AppRouter }) {
  const [queryClient] = useState(() => startQueries(router))
  const [store] = useState(createStore)
  // A layout effect, so that it listens before any part of the page can announce the end.
  useLayoutEffect(() => onSessionEnded(() => void goToSignIn(router, queryClient)), [router, queryClient])
  return (
    <PreferencesProvider store={store}>
      <QueryClientProvider client={queryClient}>
        <OverlaysProvider>
          <Appearance>
            <RouterProvider router={router} />
          </Appearance>
        </OverlaysProvider>
      </QueryClientProvider>
    </PreferencesProvider>
  )
}

function startQueries(router: AppRouter): QueryClient {
  const queryClient = createQueryClient()
  const screen = router.matchRoutes(router.latestLocation).at(-1)
  if (screen?.staticData.frame !== 'bare') {
    void askSessionEarly(queryClient, () => watchAhead(router, openLiveAhead(queryClient)))
  }
  return queryClient
}

/** Most people arrive at the dashboard. Its cards are requested before its frame is there, because only the URL is needed. */
async function watchAhead({ latestLocation: { pathname, search } }: AppRouter, client: LiveClient): Promise<void> {
  const [isOfCards, id = ''] = /^\/(?:topology(?:\/([^/]+))?)?$/.exec(pathname) ?? []
  if (isOfCards && !('at' in search)) (await import('./TopologyPage.tsx')).watchCards(client, id)
}

function Appearance({ children }: { children: ReactNode }) {
  useApplyTheme()
  useApplyDensity()
  return children
}

/** Several requests may find out at once: the first one navigates, the others change nothing. */
async function goToSignIn(router: AppRouter, queryClient: QueryClient): Promise<void> {
  if (!(await hasSessions(queryClient))) return
  const { pathname, href, search } = router.state.location
  const isOnTheWay = ['/auth-state-checker', '/login'].includes(pathname)
  if (isOnTheWay) return
  forgetToldToasts()
  void router.navigate({
    to: '/auth-state-checker',
    search: { return_to: pathname === '/profile-settings' ? search['return_to'] : href },
    replace: true,
    // Leaves the page even if something is being written; forms keep drafts (`useFormDraft`).
    ignoreBlocker: true,
  })
}
