import {
  type AsyncRouteComponent,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
  type StaticDataRouteOption,
} from '@tanstack/react-router'

import type { RecordKind } from '../features/records/definitions.ts'
import { LoadingSkeleton } from '../ui/LoadingSkeleton.tsx'
import { RenderErrorView, toError } from '../ui/RegionErrorBoundary.tsx'
import { type FlatSearch, parseSearch, stringifySearch } from '../url/searchParams.ts'
import { DOCS_PATH, HOME_PATH } from './links.ts'
import { RootFrame } from './RootFrame.tsx'
import { NotFoundPage } from './StatusPages.tsx'

type Screen = AsyncRouteComponent<object>

const rootRoute = createRootRoute({
  // Each screen reads its own keys through its own schema (url/useSearchState.ts); here the address only has to be flat.
  validateSearch: (search: FlatSearch): FlatSearch => search,
  component: RootFrame,
  notFoundComponent: NotFoundPage,
})

const screen = <const Path extends string>(path: Path, needs: StaticDataRouteOption, component: Screen) =>
  createRoute({ getParentRoute: () => rootRoute, path, component, staticData: needs })

const bare = <const Path extends string>(path: Path, component: Screen) => screen(path, { frame: 'bare' }, component)

const moved = <const From extends string>(from: From, to: string) =>
  createRoute({
    getParentRoute: () => rootRoute,
    path: from,
    beforeLoad: ({ search }) => {
      throw redirect({ to, search, replace: true })
    },
  })

const records = (kind: RecordKind): Screen =>
  lazyRouteComponent(async () => {
    const { RecordListScreen } = await import('../features/records/screens/RecordListScreen.tsx')
    return { Screen: () => <RecordListScreen kind={kind} key={kind} /> }
  }, 'Screen')

const record = (kind: RecordKind): Screen =>
  lazyRouteComponent(async () => {
    const { RecordScreen } = await import('../features/records/screens/RecordScreen.tsx')
    return { Screen: () => <RecordScreen kind={kind} key={kind} /> }
  }, 'Screen')

/** Every screen: address, what it needs, where it is. */
const routeTree = rootRoute.addChildren([
  moved('/', HOME_PATH),

  screen('/topology', { resource: 'topologies', area: 'topology' }, records('topology')),
  screen('/topology/$id', { resource: 'topologies', area: 'topology' }, record('topology')),
  screen(
    '/health',
    { resource: 'canaries', area: 'health' },
    lazyRouteComponent(() => import('./HealthPage.tsx'), 'HealthPage'),
  ),
  screen(
    '/wall',
    { frame: 'alone', resource: 'canaries', area: 'health' },
    lazyRouteComponent(() => import('../features/wallboard/screens/WallScreen.tsx'), 'WallScreen'),
  ),
  screen(
    '/wall/boards',
    { resource: 'canaries', area: 'health' },
    lazyRouteComponent(() => import('../features/wallboard/screens/BoardsScreen.tsx'), 'BoardsScreen'),
  ),
  bare(
    '/wall/device',
    lazyRouteComponent(() => import('../features/wallboard/screens/DeviceScreen.tsx'), 'DeviceScreen'),
  ),
  screen(
    '/incidents',
    { resource: 'incident', area: 'incidents' },
    lazyRouteComponent(() => import('../features/incidents/screens/IncidentListScreen.tsx'), 'IncidentListScreen'),
  ),
  screen(
    '/incidents/$id',
    { resource: 'incident', area: 'incidents' },
    lazyRouteComponent(() => import('../features/incidents/screens/IncidentScreen.tsx'), 'IncidentScreen'),
  ),
  screen('/catalog', { resource: 'database', area: 'config' }, records('catalog')),
  screen('/catalog/$id', { resource: 'database', area: 'config' }, record('catalog')),
  screen(
    '/logs',
    { resource: 'database', area: 'logs' },
    lazyRouteComponent(() => import('../features/records/screens/LogsScreen.tsx'), 'LogsScreen'),
  ),
  screen('/playbooks', { resource: 'playbooks', area: 'playbooks' }, records('playbooks')),
  screen('/playbooks/$id', { resource: 'playbooks', area: 'playbooks' }, record('playbooks')),
  screen('/playbooks/runs', { resource: 'playbook_runs', area: 'playbooks' }, records('playbookRuns')),
  screen('/playbooks/runs/$id', { resource: 'playbook_runs', area: 'playbooks' }, record('playbookRuns')),

  moved('/agents', '/settings/agents'),
  screen(
    '/settings/agents',
    { resource: 'agents', area: 'agents' },
    lazyRouteComponent(() => import('../features/agents/screens/AgentsScreen.tsx'), 'AgentsScreen'),
  ),
  screen('/settings/connections', { resource: 'connections', area: 'settings.connections' }, records('connections')),
  screen('/settings/teams', { resource: 'database', area: 'settings.teams' }, records('teams')),
  screen('/settings/teams/$id', { resource: 'database', area: 'settings.teams' }, record('teams')),
  screen('/settings/incident_rules', { resource: 'incident', area: 'settings.rules' }, records('rules')),
  screen('/settings/incident_rules/$id', { resource: 'incident', area: 'settings.rules' }, record('rules')),
  screen('/settings/topologies', { resource: 'topologies', area: 'settings.topology' }, records('topologies')),
  screen('/settings/topologies/$id', { resource: 'topologies', area: 'settings.topology' }, record('topologies')),
  screen('/settings/canaries', { resource: 'canaries', area: 'settings.health' }, records('canaries')),
  screen(
    '/settings/canaries/new',
    { resource: 'canaries', area: 'settings.health' },
    lazyRouteComponent(() => import('../features/canaries/screens/NewCanaryScreen.tsx'), 'NewCanaryScreen'),
  ),
  screen(
    '/settings/canaries/$id',
    { resource: 'canaries', area: 'settings.health' },
    lazyRouteComponent(() => import('../features/canaries/screens/CanaryScreen.tsx'), 'CanaryScreen'),
  ),
  screen('/settings/jobs', { resource: 'database', area: 'settings.job_history' }, records('jobs')),
  screen(
    '/settings/notifications',
    { resource: 'notifications', area: 'settings.notifications' },
    records('notifications'),
  ),
  screen(
    '/settings/feature-flags',
    { resource: 'feature_flags', area: 'settings.feature_flags' },
    records('featureFlags'),
  ),
  screen(
    '/settings/logging-backends',
    { resource: 'logging_backends', area: 'settings.logging_backends' },
    records('logBackends'),
  ),
  screen(
    '/settings/event-queue-status',
    { resource: 'database', area: 'settings.event_queue_status' },
    records('eventQueue'),
  ),
  moved('/settings', '/settings/event-queue-status'),
  screen(
    '/settings/integrations',
    { resource: 'integrations', area: 'settings.integrations' },
    records('integrations'),
  ),
  screen(
    DOCS_PATH,
    {},
    lazyRouteComponent(() => import('../features/docs/screens/DocsScreen.tsx'), 'DocsScreen'),
  ),

  bare(
    '/login',
    lazyRouteComponent(() => import('../features/sign-in/screens/LoginScreen.tsx'), 'LoginScreen'),
  ),
  bare(
    '/registration',
    lazyRouteComponent(() => import('../features/sign-in/screens/RegistrationScreen.tsx'), 'RegistrationScreen'),
  ),
  bare(
    '/recovery',
    lazyRouteComponent(() => import('../features/sign-in/screens/RecoveryScreen.tsx'), 'RecoveryScreen'),
  ),
  bare(
    '/verification',
    lazyRouteComponent(() => import('../features/sign-in/screens/VerificationScreen.tsx'), 'VerificationScreen'),
  ),
  bare(
    '/profile-settings',
    lazyRouteComponent(() => import('../features/sign-in/screens/ProfileSettingsScreen.tsx'), 'ProfileSettingsScreen'),
  ),
  bare(
    '/auth-state-checker',
    lazyRouteComponent(() => import('../features/sign-in/screens/AuthStateChecker.tsx'), 'AuthStateChecker'),
  ),
  bare(
    '/error',
    lazyRouteComponent(() => import('../features/sign-in/screens/BadSessionScreen.tsx'), 'BadSessionScreen'),
  ),
  bare(
    '/error/$id',
    lazyRouteComponent(() => import('../features/sign-in/screens/FlowErrorScreen.tsx'), 'FlowErrorScreen'),
  ),
])

/** @param history where the address lives; the browser's own unless a test brings another */
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
