import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'

import { LoadingSkeleton } from '../ui/LoadingSkeleton.tsx'
import { RenderErrorView, toError } from '../ui/RegionErrorBoundary.tsx'
import { type FlatSearch, parseSearch, stringifySearch } from '../url/searchParams.ts'
import type { CatalogPath } from './catalogParts.ts'
import { HOME_PATH } from './links.ts'
import { RootFrame } from './RootFrame.tsx'
import { type ScreenEntry, type ScreenModule, type ScreenPath, SCREENS } from './screens.ts'
import type { SettingsPath } from './settingsParts.ts'

const rootRoute = createRootRoute({
  // Each screen reads its own keys through its own schema (url/useSearchState.ts); here the search only has to be flat.
  validateSearch: (search: FlatSearch): FlatSearch => search,
  component: RootFrame,
  notFoundComponent: lazyRouteComponent(() => import('./StatusPages.tsx'), 'NotFoundPage'),
})

/** The first pages of three areas are opened most, so they save a round trip. The others come from the table of their area. */
async function loadScreen(path: ScreenPath): ScreenModule {
  if (path === '/health') return { Screen: (await import('./HealthPage.tsx')).HealthPage }
  if (path === '/catalog') return { Screen: (await import('./CatalogPage.tsx')).CatalogPage }
  if (path === '/topology') return { Screen: (await import('./TopologyPage.tsx')).TopologyPage }
  if (isOfSettings(path)) return (await import('./settingsParts.ts')).SETTINGS_PARTS[path]()
  if (isOfCatalog(path)) return (await import('./catalogParts.ts')).CATALOG_PARTS[path]()
  return (await import('./screenParts.ts')).SCREEN_PARTS[path]()
}

const isOfSettings = (path: ScreenPath): path is SettingsPath => /^\/(?:settings|catalog\/scrapers)/.test(path)
const isOfCatalog = (path: ScreenPath): path is CatalogPath => path.startsWith('/catalog')

const toRoute = <const Path extends ScreenPath>({
  path,
  frame,
  resource,
  object,
  area,
  needs,
}: ScreenEntry & { readonly path: Path }) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path,
    component: lazyRouteComponent(() => loadScreen(path), 'Screen'),
    staticData: {
      ...(frame === undefined ? {} : { frame }),
      ...(resource === undefined ? {} : { resource }),
      ...(object === undefined ? {} : { object }),
      ...(area === undefined ? {} : { area }),
      ...(needs === undefined ? {} : { needs }),
    },
  })

// Mapping a list loses which path is where; links are checked against the paths.
type RoutesOf<Screens extends readonly (ScreenEntry & { readonly path: ScreenPath })[]> = {
  [Index in keyof Screens]: ReturnType<typeof toRoute<Screens[Index]['path']>>
}
const screenRoutes = SCREENS.map((screen) => toRoute(screen)) as unknown as RoutesOf<typeof SCREENS>

const moved = <const From extends string>(from: From, to: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: from,
    beforeLoad: ({ search }) => {
      throw redirect({ to, search, replace: true })
    },
  })

const routeTree = rootRoute.addChildren([
  ...screenRoutes,
  moved('/', HOME_PATH),
  moved('/agents', '/settings/agents'),
  moved('/configs', '/catalog'),
  moved('/settings/config_scrapers', '/catalog/scrapers'),
  moved('/settings/logging-backends', '/settings/logging_backends'),
  moved('/settings', '/settings/event-queue-status'),
])

/** @param history the browser's own unless a test passes one in */
export function createAppRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    parseSearch,
    stringifySearch,
    defaultPreload: 'intent',
    defaultPendingMs: 150,
    defaultPendingMinMs: 0,
    defaultPendingComponent: LoadingSkeleton,
    defaultErrorComponent: ({ error, reset }) => <RenderErrorView error={toError(error)} onRetry={reset} />,
    scrollRestoration: true,
    ...(history ? { history } : {}),
  })
}
export type AppRouter = ReturnType<typeof createAppRouter>

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
