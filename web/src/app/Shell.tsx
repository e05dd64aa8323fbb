import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useLocation, useMatches } from '@tanstack/react-router'
import { useAtom } from 'jotai'
import { type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'

import { useDisabledAreas } from '../api/featureFlags.tsx'
import { sessionKeys } from '../api/queryKeys.ts'
import { useSession } from '../api/session.tsx'
import { sidebarCollapsedAtom } from '../preferences/sidebar.ts'
import { NARROW, PHONE } from '../ui/breakpoints.ts'
import { lazyPart } from '../ui/lazyPart.tsx'
import { useToldToasts } from '../ui/toastStore.ts'
import { TopBarProvider } from '../ui/topBar.tsx'
import { useMediaQuery } from '../ui/useMediaQuery.ts'
import { HelpMenu } from './HelpMenu.tsx'
import { PaletteHost } from './palette/PaletteHost.tsx'
import { screensAbove } from './screens.ts'
import { Sidebar } from './Sidebar.tsx'
import { UserMenu } from './UserMenu.tsx'

import styles from './shell.module.css'

// Phones only.
const OffCanvasSidebar = lazyPart(async () => (await import('./OffCanvasSidebar.tsx')).OffCanvasSidebar)
// Administrators only.
const CredentialNotice = lazyPart(async () => (await import('./CredentialNotice.tsx')).CredentialNotice)
// Those who may approve runs only.
const ApprovalsInbox = lazyPart(
  async () => (await import('../features/playbooks/components/ApprovalsInbox.tsx')).ApprovalsInbox,
)
const loadRecentMessages = () => import('./RecentMessages.tsx')

/** The frame of every signed-in screen: sidebar, top bar, and the screen as the main landmark. */
export function Shell({ children }: { children: ReactNode }) {
  const isNarrow = useMediaQuery(NARROW)
  const isPhone = useMediaQuery(PHONE)
  const { roles, can } = useSession()
  const isAdmin = roles.includes('admin')
  const disabledAreas = useDisabledAreas()
  const mayApprove = can('write', 'playbook_runs') && !disabledAreas.has('playbooks')
  const main = useRef<HTMLElement>(null)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  const refresh = useRefreshAll()
  useFreshRoles()
  const route = useMatches({ select: (matches) => matches.at(-1)?.fullPath ?? '' })
  const parents = useMemo(() => screensAbove(route), [route])
  const topBar = useMemo(() => ({ slot, refresh, parents }), [slot, refresh, parents])

  return (
    <div className={styles['shell']}>
      <a
        className={styles['skip']}
        href="#main"
        onClick={(event) => {
          event.preventDefault()
          main.current?.focus()
        }}
      >
        Skip to content
      </a>
      {isPhone ? null : <DockedSidebar isNarrow={isNarrow} />}
      <div className={styles['shellColumn']}>
        <header className={styles['topbar']}>
          {isPhone ? (
            <Suspense>
              <OffCanvasSidebar />
            </Suspense>
          ) : null}
          <div className={styles['topbarSlot']} ref={setSlot} />
          <div className={styles['topbarMenus']}>
            {mayApprove ? (
              <Suspense>
                <ApprovalsInbox />
              </Suspense>
            ) : null}
            <PaletteHost />
            <RecentMessagesSlot />
            <HelpMenu />
            <UserMenu />
          </div>
        </header>
        <main id="main" className={styles['main']} tabIndex={-1} ref={main}>
          {isAdmin ? (
            <Suspense>
              <CredentialNotice />
            </Suspense>
          ) : null}
          <TopBarProvider value={topBar}>{children}</TopBarProvider>
        </main>
      </div>
    </div>
  )
}

/** Loaded after the first toast. It stays mounted, even when its list becomes empty. */
function RecentMessagesSlot() {
  const told = useToldToasts().length
  const [part, setPart] = useState<Awaited<ReturnType<typeof loadRecentMessages>> | null>(null)
  useEffect(() => {
    if (told === 0) return
    // Not with `lazy`: the first message may be that there is no network, and the next one should try again.
    loadRecentMessages().then(setPart, () => undefined)
  }, [told])
  return part ? <part.RecentMessages /> : null
}

function DockedSidebar({ isNarrow }: { isNarrow: boolean }) {
  const [isCollapsed, setCollapsed] = useAtom(sidebarCollapsedAtom)
  // In a narrow window, opening it is temporary and does not change the preference.
  const [isOpenInNarrow, setOpenInNarrow] = useState(false)
  return isNarrow ? (
    <Sidebar
      isCollapsed={!isOpenInNarrow}
      onToggle={() => setOpenInNarrow(!isOpenInNarrow)}
      onNavigate={() => setOpenInNarrow(false)}
    />
  ) : (
    <Sidebar isCollapsed={isCollapsed} onToggle={() => setCollapsed(!isCollapsed)} />
  )
}

/** Refreshes every query on screen, for screens without their own refresh. */
function useRefreshAll(): { onRefresh: () => void; isLoading: boolean } {
  const queryClient = useQueryClient()
  const isLoading = useIsFetching({ predicate: ({ queryKey }) => queryKey[0] !== sessionKeys.all[0] }) > 0
  return useMemo(
    () => ({
      isLoading,
      onRefresh: () =>
        void queryClient.refetchQueries({
          type: 'active',
          // Rows of live topics have no query function: they come from the topic.
          predicate: ({ options }) => typeof options.queryFn === 'function',
        }),
    }),
    [isLoading, queryClient],
  )
}

/** Reads the roles again on every navigation: rights may have been revoked. */
function useFreshRoles(): void {
  const queryClient = useQueryClient()
  const { user } = useSession()
  const pathname = useLocation({ select: (location) => location.pathname })
  const lastPathname = useRef(pathname)
  useEffect(() => {
    if (lastPathname.current === pathname) return
    lastPathname.current = pathname
    void queryClient.invalidateQueries({ queryKey: sessionKeys.roles(user.id) })
  }, [queryClient, user.id, pathname])
}
