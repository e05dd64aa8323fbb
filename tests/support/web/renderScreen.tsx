import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import type { Permission, Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import { atom, createStore, Provider as PreferencesProvider, useAtomValue } from 'jotai'
import { act, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'

import { FixedFeatureFlags } from '../../../web/src/api/featureFlags.tsx'
import { FixedSession } from '../../../web/src/api/session.tsx'
import { ScreenClockProvider } from '../../../web/src/ui/clock.tsx'
import { parseSearch, stringifySearch } from '../../../web/src/url/searchParams.ts'
import { FakeClock } from '../fakeClock.ts'

declare global {
  // React's own switch: updates outside `act` are reported as mistakes of the test.
  var IS_REACT_ACT_ENVIRONMENT: boolean
}

export interface ScreenOptions {
  /** Path and query of the page. */
  address?: string
  roles?: readonly Role[]
  /** Who is looking. */
  userId?: string
  /** What the backend's own policy allows; it has none when absent. */
  permissions?: readonly Permission[]
  clock?: FakeClock
  /** What is switched off. */
  disabled?: readonly FeatureArea[]
}

export interface RenderedScreen {
  readonly clock: FakeClock
  readonly container: HTMLElement
  readonly queryClient: QueryClient
  /** Parts of the address now. */
  path(): string
  search(): string
  rerender(screen: ReactNode): Promise<void>
  /** Moves time, and lets what it starts settle. */
  advance(durationMs: number): Promise<void>
  /** Clicks as fast as no renderer is, when asked for more than once. */
  click(target: Element | null, times?: number): Promise<void>
  press(key: string, target?: Element | null): Promise<void>
  type(field: Element | null, text: string): Promise<void>
  back(): Promise<void>
  /** Follows a link to another address of the screen. */
  go(address: string): Promise<void>
  /** Repeats the assertion until it holds, for what needs real time: chunks, answers, transitions. */
  waitFor(assertion: () => void): Promise<void>
  close(): Promise<void>
}

/** Real time that an assertion gets to become true: a busy machine may need seconds to load a lazy part. */
const PATIENCE_MS = 10_000

const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, 5)
  })

/** Happy-dom lays nothing out: every element is as large as a small window, so that virtual lists show rows. */
function giveElementsASize(): void {
  const size = (pixels: number): PropertyDescriptor => ({ configurable: true, get: () => pixels })
  Object.defineProperties(HTMLElement.prototype, {
    offsetHeight: size(600),
    offsetWidth: size(1200),
    clientHeight: size(600),
  })
}

/** Renders a screen inside the providers it has in the product, on a clock of the test's own. */
export async function renderScreen(screen: ReactNode, options: ScreenOptions = {}): Promise<RenderedScreen> {
  globalThis.IS_REACT_ACT_ENVIRONMENT = true
  giveElementsASize()
  localStorage.clear()
  const clock = options.clock ?? new FakeClock()
  const screenClock = { clock, serverNow: clock.now }
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false }, mutations: { retry: false } } })
  const shown = atom<ReactNode>(screen)
  const Shown = (): ReactNode => useAtomValue(shown)
  const rootRoute = createRootRoute({ component: Shown, notFoundComponent: Shown })
  const history = createMemoryHistory({ initialEntries: [options.address ?? '/'] })
  const router = createRouter({ routeTree: rootRoute, history, parseSearch, stringifySearch })

  const container = document.createElement('div')
  document.body.append(container)
  const root = createRoot(container)
  const store = createStore()
  const user = { id: options.userId ?? 'user-1', name: 'Robin' }
  const disabled = new Set(options.disabled)
  const settle = async (): Promise<void> => {
    await act(async () => {
      await clock.advance(0)
      await turn()
    })
  }
  await act(async () => {
    await router.load()
    root.render(
      <PreferencesProvider store={store}>
        <QueryClientProvider client={queryClient}>
          <ScreenClockProvider value={screenClock}>
            <FixedSession
              user={user}
              roles={options.roles ?? ['admin']}
              {...(options.permissions ? { permissions: options.permissions } : {})}
            >
              <FixedFeatureFlags areas={disabled}>
                <RouterProvider router={router} />
              </FixedFeatureFlags>
            </FixedSession>
          </ScreenClockProvider>
        </QueryClientProvider>
      </PreferencesProvider>,
    )
  })
  await settle()

  return {
    clock,
    container,
    queryClient,
    path: () => router.state.location.pathname,
    search: () => router.state.location.searchStr,
    rerender: async (next) => {
      await act(async () => store.set(shown, next))
      await settle()
    },
    advance: async (durationMs) => {
      await act(() => clock.advance(durationMs))
      await settle()
    },
    click: async (target, times = 1) => {
      if (target === null) throw new Error('there is nothing to click')
      await act(async () => {
        for (let click = 0; click < times; click += 1) {
          target.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
        }
      })
      await settle()
    },
    press: async (key, target = document.activeElement) => {
      await act(async () => {
        target?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
      })
      await settle()
    },
    type: async (field, text) => {
      if (!(field instanceof HTMLInputElement)) throw new Error('there is no such field')
      await act(async () => {
        // React listens to the native setter; assigning `value` would go unnoticed.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text)
        field.dispatchEvent(new Event('input', { bubbles: true }))
      })
    },
    waitFor: async (assertion) => {
      const startedAt = performance.now()
      for (;;) {
        try {
          assertion()
          return
        } catch (error) {
          if (performance.now() - startedAt > PATIENCE_MS) throw error
        }
        await settle()
      }
    },
    go: async (address) => {
      await act(async () => {
        history.push(address)
      })
      await settle()
    },
    back: async () => {
      await act(async () => {
        history.back()
      })
      await settle()
    },
    close: async () => {
      await act(async () => root.unmount())
      container.remove()
      queryClient.clear()
    },
  }
}
