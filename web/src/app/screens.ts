import {
  Archive,
  Box,
  Changes,
  Cloud,
  Console,
  DataConnection,
  Diagnosis,
  DiagramTree,
  Envelope,
  Flag,
  GridView,
  History,
  Inbox,
  Key,
  Notifications,
  People,
  Playbook,
  Pulse,
  type SVGIconProps,
  TakeAction,
  User,
} from '@blueprintjs/icons'
import type { CapabilityName, Resource } from '@watchroom/shared/access'
import {
  type FeatureArea,
  SETTINGS_RESOURCES,
  type SettingsResource,
  type SettingsRow,
  type SettingsTable,
} from '@watchroom/shared/settings'
import { type ComponentType, createElement, type ReactElement } from 'react'

import type { RecordKind } from '../features/records/definitions.ts'
import { DOCS_PATH } from './links.ts'

type ScreenModule = Promise<{ Screen: ComponentType }>

/** One screen of the product. Routes, sidebar and breadcrumbs derive from the list of them. */
export interface ScreenEntry {
  readonly path: string
  /** What people call it. */
  readonly title: string
  readonly load: () => ScreenModule
  /** `bare` pages need no session; `alone` is for signed-in people like the shell, but fills the window. Default: `shell`. */
  readonly frame?: 'bare' | 'alone'
  /** Read on it is needed to see the screen. */
  readonly resource?: Resource
  /** Switched off, the screen is gone. */
  readonly area?: FeatureArea
  /** A backend without it has nothing to show there: the sidebar does not lead to it. */
  readonly needs?: CapabilityName
  /** Those with an icon stand in the sidebar: below Settings where their address does, else as an area of their own. */
  readonly icon?: ComponentType<SVGIconProps>
}

const list = (kind: RecordKind) => async (): ScreenModule => {
  const { RecordListScreen } = await import('../features/records/screens/RecordListScreen.tsx')
  return { Screen: () => createElement(RecordListScreen, { kind }) }
}

/** A record that can be downloaded with what is around it. */
const snapshotRecord = (kind: 'topology' | 'catalog') => async (): ScreenModule => {
  const [{ RecordScreen }, { RecordControls }] = await Promise.all([
    import('../features/records/screens/RecordScreen.tsx'),
    import('./RecordControls.tsx'),
  ])
  const renderControls = (row: { id: string; name: string }) => createElement(RecordControls, { kind, row })
  return { Screen: () => createElement(RecordScreen, { kind, renderControls }) }
}

/** The tab Job History of a resource. @param resourceType as jobs call it */
const jobsOf = async (resourceType: string, noun: string) => {
  const { ResourceJobs } = await import('../features/jobs/components/ResourceJobs.tsx')
  return (resourceId: string): ReactElement => createElement(ResourceJobs, { resourceType, resourceId, noun })
}

type Icon = NonNullable<ScreenEntry['icon']>

/** The list of a table of settings. */
const settingsList = <const Path extends string>(table: SettingsTable, path: Path, icon?: Icon) => {
  const definition = SETTINGS_RESOURCES[table]
  const { title, resource, area } = definition
  return {
    path,
    title,
    resource,
    area,
    ...(icon === undefined ? {} : { icon }),
    load: () =>
      import('../features/settings/screens/SettingsListScreen.tsx').then(({ SettingsListScreen }) => ({
        Screen: () => createElement(SettingsListScreen, { definition }),
      })),
  } as const
}

/** The list of a table of settings, the form that adds a row, and the form of a row. */
const settings = <const Path extends string>(table: SettingsTable, path: Path, icon?: Icon) => {
  const definition = SETTINGS_RESOURCES[table]
  const { noun, resource, area } = definition
  return [
    settingsList(table, path, icon),
    {
      path: `${path}/new` as const,
      title: `New ${noun}`,
      resource,
      area,
      load: () =>
        import('../features/settings/screens/NewSettingsScreen.tsx').then(({ NewSettingsScreen }) => ({
          Screen: () => createElement(NewSettingsScreen, { definition }),
        })),
    },
    {
      path: `${path}/$id` as const,
      title: noun.charAt(0).toUpperCase() + noun.slice(1),
      resource,
      area,
      load: async (): ScreenModule => {
        const [{ SettingsScreen }, tabs] = await Promise.all([
          import('../features/settings/screens/SettingsScreen.tsx'),
          tabsOf(definition),
        ])
        return { Screen: () => createElement(SettingsScreen, { definition, tabs }) }
      },
    },
  ] as const
}

/** What rows of a table have beside their spec: what is theirs alone, then the jobs. */
async function tabsOf({ table, jobs, noun }: SettingsResource) {
  const [own, renderJobs] = await Promise.all([
    table === 'teams' ? teamTabs() : [],
    jobs === undefined ? null : jobsOf(jobs, noun),
  ])
  const ofJobs = renderJobs && { id: 'jobs', title: 'Job History', render: ({ id }: { id: string }) => renderJobs(id) }
  return [...own, ...(ofJobs ? [ofJobs] : [])]
}

async function teamTabs() {
  const [{ TeamMembers }, { OwnedComponents }] = await Promise.all([
    import('../features/teams/TeamMembers.tsx'),
    import('../features/teams/OwnedComponents.tsx'),
  ])
  return [
    { id: 'members', title: 'Members', render: (team: SettingsRow) => createElement(TeamMembers, { team }) },
    {
      id: 'components',
      title: 'Components',
      render: ({ id }: SettingsRow) => createElement(OwnedComponents, { teamId: id }),
    },
  ]
}

/** Every screen, those of the sidebar in the order of the specification. */
export const SCREENS = [
  {
    path: '/topology',
    title: 'Dashboard',
    resource: 'topologies',
    area: 'topology',
    icon: GridView,
    load: list('topology'),
  },
  {
    path: '/topology/$id',
    title: 'Component',
    resource: 'topologies',
    area: 'topology',
    load: snapshotRecord('topology'),
  },
  {
    path: '/health',
    title: 'Health',
    resource: 'canaries',
    area: 'health',
    icon: Pulse,
    load: () => import('./HealthPage.tsx').then(({ HealthPage }) => ({ Screen: HealthPage })),
  },
  {
    path: '/wall',
    title: 'Wall',
    frame: 'alone',
    resource: 'canaries',
    area: 'health',
    load: () =>
      import('../features/wallboard/screens/WallScreen.tsx').then(({ WallScreen }) => ({ Screen: WallScreen })),
  },
  {
    path: '/wall/boards',
    title: 'Wallboards',
    resource: 'canaries',
    area: 'health',
    load: () =>
      import('../features/wallboard/screens/BoardsScreen.tsx').then(({ BoardsScreen }) => ({ Screen: BoardsScreen })),
  },
  {
    path: '/wall/device',
    title: 'Wall of a screen',
    frame: 'bare',
    load: () =>
      import('../features/wallboard/screens/DeviceScreen.tsx').then(({ DeviceScreen }) => ({ Screen: DeviceScreen })),
  },
  {
    path: '/incidents',
    title: 'Incidents',
    resource: 'incident',
    area: 'incidents',
    icon: TakeAction,
    load: () =>
      import('../features/incident-list/screens/IncidentListScreen.tsx').then(({ IncidentListScreen }) => ({
        Screen: IncidentListScreen,
      })),
  },
  {
    path: '/incidents/$id',
    title: 'Incident',
    resource: 'incident',
    area: 'incidents',
    load: () =>
      import('./IncidentPage.tsx').then(({ IncidentPage }) => ({
        Screen: IncidentPage,
      })),
  },
  { path: '/catalog', title: 'Catalog', resource: 'database', area: 'config', icon: Box, load: list('catalog') },
  ...settings('config_scrapers', '/catalog/scrapers'),
  { path: '/catalog/$id', title: 'Config item', resource: 'database', area: 'config', load: snapshotRecord('catalog') },
  {
    path: '/logs',
    title: 'Logs',
    resource: 'database',
    area: 'logs',
    needs: 'logs',
    icon: Console,
    load: () => import('./LogsPage.tsx').then(({ LogsPage }) => ({ Screen: LogsPage })),
  },
  {
    path: '/playbooks',
    title: 'Playbooks',
    resource: 'playbooks',
    area: 'playbooks',
    icon: Playbook,
    load: () =>
      import('../features/playbooks/screens/PlaybooksScreen.tsx').then(({ PlaybooksScreen }) => ({
        Screen: PlaybooksScreen,
      })),
  },
  {
    path: '/playbooks/new',
    title: 'New playbook',
    resource: 'playbooks',
    area: 'playbooks',
    load: () =>
      import('../features/playbooks/screens/NewPlaybookScreen.tsx').then(({ NewPlaybookScreen }) => ({
        Screen: NewPlaybookScreen,
      })),
  },
  {
    path: '/playbooks/$id',
    title: 'Playbook',
    resource: 'playbooks',
    area: 'playbooks',
    load: () =>
      import('../features/playbooks/screens/PlaybookScreen.tsx').then(({ PlaybookScreen }) => ({
        Screen: PlaybookScreen,
      })),
  },
  {
    path: '/playbooks/runs',
    title: 'Playbook runs',
    resource: 'playbook_runs',
    area: 'playbooks',
    load: () =>
      import('../features/playbooks/screens/PlaybookRunsScreen.tsx').then(({ PlaybookRunsScreen }) => ({
        Screen: PlaybookRunsScreen,
      })),
  },
  {
    path: '/playbooks/runs/$id',
    title: 'Playbook run',
    resource: 'playbook_runs',
    area: 'playbooks',
    load: () =>
      import('../features/playbooks/screens/PlaybookRunScreen.tsx').then(({ PlaybookRunScreen }) => ({
        Screen: PlaybookRunScreen,
      })),
  },
  {
    path: '/settings/agents',
    title: 'Agents',
    resource: 'agents',
    area: 'agents',
    icon: Cloud,
    load: () =>
      import('../features/agents/screens/AgentsScreen.tsx').then(({ AgentsScreen }) => ({ Screen: AgentsScreen })),
  },
  {
    path: '/settings/connections',
    title: 'Connections',
    resource: 'connections',
    area: 'settings.connections',
    icon: Key,
    load: () =>
      import('../features/connections/screens/ConnectionsScreen.tsx').then(({ ConnectionsScreen }) => ({
        Screen: ConnectionsScreen,
      })),
  },
  {
    path: '/settings/event-queue-status',
    title: 'Event Queue',
    resource: 'database',
    area: 'settings.event_queue_status',
    icon: Inbox,
    load: () =>
      import('../features/event-queue/EventQueueScreen.tsx').then(({ EventQueueScreen }) => ({
        Screen: EventQueueScreen,
      })),
  },
  {
    path: '/settings/feature-flags',
    title: 'Feature Flags',
    resource: 'feature_flags',
    area: 'settings.feature_flags',
    icon: Flag,
    load: () =>
      import('../features/feature-flags/screens/FeatureFlagsScreen.tsx').then(({ FeatureFlagsScreen }) => ({
        Screen: FeatureFlagsScreen,
      })),
  },
  settingsList('canaries', '/settings/canaries', Diagnosis),
  {
    path: '/settings/canaries/new',
    title: 'New check',
    resource: 'canaries',
    area: 'settings.health',
    load: () =>
      import('../features/canaries/screens/NewCanaryScreen.tsx').then(({ NewCanaryScreen }) => ({
        Screen: NewCanaryScreen,
      })),
  },
  {
    path: '/settings/canaries/$id',
    title: 'Check',
    resource: 'canaries',
    area: 'settings.health',
    load: () =>
      Promise.all([import('../features/canaries/screens/CanaryScreen.tsx'), jobsOf('canary', 'check')]).then(
        ([{ CanaryScreen }, renderJobs]) => ({ Screen: () => createElement(CanaryScreen, { renderJobs }) }),
      ),
  },
  {
    path: '/settings/integrations',
    title: 'Integrations',
    resource: 'integrations',
    area: 'settings.integrations',
    icon: DataConnection,
    load: () =>
      import('../features/integrations/IntegrationsScreen.tsx').then(({ IntegrationsScreen }) => ({
        Screen: IntegrationsScreen,
      })),
  },
  {
    path: '/settings/integrations/$type/$id',
    title: 'Integration',
    resource: 'integrations',
    area: 'settings.integrations',
    load: async (): ScreenModule => {
      const { config_scrapers, topologies, logging_backends } = SETTINGS_RESOURCES
      const [{ IntegrationPage }, scrapers, ofTopologies, ofLogs] = await Promise.all([
        import('./IntegrationPage.tsx'),
        tabsOf(config_scrapers),
        tabsOf(topologies),
        tabsOf(logging_backends),
      ])
      const tabs = { scrapers, topologies: ofTopologies, logging_backends: ofLogs }
      return { Screen: () => createElement(IntegrationPage, { tabs }) }
    },
  },
  {
    path: '/settings/jobs',
    title: 'Jobs History',
    resource: 'database',
    area: 'settings.job_history',
    icon: History,
    load: () => import('../features/jobs/screens/JobsScreen.tsx').then(({ JobsScreen }) => ({ Screen: JobsScreen })),
  },
  ...settings('logging_backends', '/settings/logging_backends', Archive),
  {
    path: '/settings/notifications',
    title: 'Notifications',
    resource: 'notifications',
    area: 'settings.notifications',
    icon: Notifications,
    load: () =>
      import('../features/notifications/screens/NotificationsScreen.tsx').then(({ NotificationsScreen }) => ({
        Screen: NotificationsScreen,
      })),
  },
  {
    path: '/settings/notifications/history',
    title: 'Notification history',
    resource: 'notifications',
    area: 'settings.notifications',
    load: () =>
      import('../features/notifications/screens/HistoryScreen.tsx').then(({ HistoryScreen }) => ({
        Screen: HistoryScreen,
      })),
  },
  {
    path: '/settings/notifications/silence',
    title: 'Silences',
    resource: 'notifications',
    area: 'settings.notifications',
    load: () =>
      import('../features/notifications/screens/SilenceScreen.tsx').then(({ SilenceScreen }) => ({
        Screen: SilenceScreen,
      })),
  },
  ...settings('incident_rules', '/settings/incident_rules', Changes),
  ...settings('teams', '/settings/teams', People),
  ...settings('topologies', '/settings/topologies', DiagramTree),
  {
    path: '/settings/users',
    title: 'Users',
    resource: 'identities',
    area: 'settings.users',
    icon: User,
    load: () =>
      import('../features/users/screens/UsersScreen.tsx').then(({ UsersScreen }) => ({ Screen: UsersScreen })),
  },
  {
    path: '/settings/outbox',
    title: 'Outbox',
    resource: 'identities',
    area: 'settings.users',
    icon: Envelope,
    load: () => import('../features/outbox/OutboxScreen.tsx').then(({ OutboxScreen }) => ({ Screen: OutboxScreen })),
  },
  {
    path: '/settings/access-tokens',
    title: 'Access tokens',
    load: () =>
      import('../features/access-tokens/AccessTokensScreen.tsx').then(({ AccessTokensScreen }) => ({
        Screen: AccessTokensScreen,
      })),
  },
  {
    path: '/kubeconfig',
    title: 'Kubeconfig',
    resource: 'database',
    load: () => import('./KubeconfigPage.tsx').then(({ KubeconfigPage }) => ({ Screen: KubeconfigPage })),
  },
  {
    path: DOCS_PATH,
    title: 'Docs',
    load: () => import('../features/docs/screens/DocsScreen.tsx').then(({ DocsScreen }) => ({ Screen: DocsScreen })),
  },
  {
    path: '/login',
    title: 'Sign in',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/LoginScreen.tsx').then(({ LoginScreen }) => ({ Screen: LoginScreen })),
  },
  {
    path: '/registration',
    title: 'Create account',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/RegistrationScreen.tsx').then(({ RegistrationScreen }) => ({
        Screen: RegistrationScreen,
      })),
  },
  {
    path: '/recovery',
    title: 'Recover account',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/RecoveryScreen.tsx').then(({ RecoveryScreen }) => ({
        Screen: RecoveryScreen,
      })),
  },
  {
    path: '/verification',
    title: 'Verify your account',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/VerificationScreen.tsx').then(({ VerificationScreen }) => ({
        Screen: VerificationScreen,
      })),
  },
  {
    path: '/profile-settings',
    title: 'Profile settings',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/ProfileSettingsScreen.tsx').then(({ ProfileSettingsScreen }) => ({
        Screen: ProfileSettingsScreen,
      })),
  },
  {
    path: '/organizations',
    title: 'Choose an organization',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/OrganizationsScreen.tsx').then(({ OrganizationsScreen }) => ({
        Screen: OrganizationsScreen,
      })),
  },
  {
    path: '/organizations/orgs-switched',
    title: 'Switching organization',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/OrganizationSwitchedScreen.tsx').then(({ OrganizationSwitchedScreen }) => ({
        Screen: OrganizationSwitchedScreen,
      })),
  },
  {
    path: '/auth-state-checker',
    title: 'Signing in',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/AuthStateChecker.tsx').then(({ AuthStateChecker }) => ({
        Screen: AuthStateChecker,
      })),
  },
  {
    path: '/error',
    title: 'Bad session',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/BadSessionScreen.tsx').then(({ BadSessionScreen }) => ({
        Screen: BadSessionScreen,
      })),
  },
  {
    path: '/error/$id',
    title: 'Error',
    frame: 'bare',
    load: () =>
      import('../features/sign-in/screens/FlowErrorScreen.tsx').then(({ FlowErrorScreen }) => ({
        Screen: FlowErrorScreen,
      })),
  },
] as const satisfies readonly ScreenEntry[]

/** The screens as their readers see them, without the literal types of the list. */
const ENTRIES: readonly ScreenEntry[] = SCREENS

/** The pages above one in the same frame, outermost first: those at the beginning of its address. */
export function screensAbove(path: string): readonly ScreenEntry[] {
  const above = ENTRIES.filter((entry) => entry.frame === undefined && path.startsWith(`${entry.path}/`))
  return above.toSorted((a, b) => a.path.length - b.path.length)
}
