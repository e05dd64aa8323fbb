import {
  SETTINGS_RESOURCES,
  type SettingsResource,
  type SettingsRow,
  type SettingsTable,
} from '@watchroom/shared/settings'
import { type ComponentType, createElement, type ReactElement } from 'react'

import type { ConfigTab } from '../features/config-item/configTabs.ts'
import { DOCS_PATH } from './links.ts'
import type { ScreenPath } from './screens.ts'

// Loaded with the first screen but the cards and the health board, which must not wait for the names of all the others.

export type ScreenModule = Promise<{ Screen: ComponentType }>

/** A page of a config item. */
const configTab = (tab: ConfigTab) => async (): ScreenModule => {
  const { loadConfigPage } = await import('./ConfigPage.tsx')
  return { Screen: await loadConfigPage(tab) }
}

/** The tab Job History of a resource. @param resourceType as jobs call it */
const jobsOf = async (resourceType: string, noun: string) => {
  const { ResourceJobs } = await import('../features/jobs/components/ResourceJobs.tsx')
  return (resourceId: string): ReactElement => createElement(ResourceJobs, { resourceType, resourceId, noun })
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

/** The list of a table of settings. */
const settingsList = (table: SettingsTable) => async (): ScreenModule => {
  const { SettingsListScreen } = await import('../features/settings/screens/SettingsListScreen.tsx')
  return { Screen: () => createElement(SettingsListScreen, { definition: SETTINGS_RESOURCES[table] }) }
}

/** The form that adds a row to a table of settings. */
const newSettings = (table: SettingsTable) => async (): ScreenModule => {
  const { NewSettingsScreen } = await import('../features/settings/screens/NewSettingsScreen.tsx')
  return { Screen: () => createElement(NewSettingsScreen, { definition: SETTINGS_RESOURCES[table] }) }
}

/** The form of a row of settings. */
const settingsRow = (table: SettingsTable) => async (): ScreenModule => {
  const definition: SettingsResource = SETTINGS_RESOURCES[table]
  const [{ SettingsScreen }, tabs] = await Promise.all([
    import('../features/settings/screens/SettingsScreen.tsx'),
    tabsOf(definition),
  ])
  return { Screen: () => createElement(SettingsScreen, { definition, tabs }) }
}

/** Scrapers, and how much each brings. */
const scraperList = async (): ScreenModule => ({ Screen: (await import('./ScrapersPage.tsx')).ScrapersPage })

/** A scraper, which can be tried before it is saved, and run from its page. */
const scraperRow = async (): ScreenModule => {
  const [{ ScraperPage }, tabs] = await Promise.all([
    import('./ScraperPage.tsx'),
    tabsOf(SETTINGS_RESOURCES.config_scrapers),
  ])
  return { Screen: () => createElement(ScraperPage, { tabs }) }
}

const newScraper = async (): ScreenModule => ({ Screen: (await import('./ScraperPage.tsx')).NewScraperPage })

/** A topology, which can be tried before it is saved, and synced from its page. */
const topologyRow = async (): ScreenModule => {
  const [{ TopologySettingsPage }, tabs] = await Promise.all([
    import('./TopologySettingsPage.tsx'),
    tabsOf(SETTINGS_RESOURCES.topologies),
  ])
  return { Screen: () => createElement(TopologySettingsPage, { tabs }) }
}

const newTopology = async (): ScreenModule => ({
  Screen: (await import('./TopologySettingsPage.tsx')).NewTopologyPage,
})

/** The three screens of a table of settings. */
const settings = <const Path extends string>(table: SettingsTable, path: Path) =>
  ({
    [path]: settingsList(table),
    [`${path}/new`]: newSettings(table),
    [`${path}/$id`]: settingsRow(table),
  }) as Record<Path | `${Path}/new` | `${Path}/$id`, () => ScreenModule>

/** A page of the catalog, below the tabs that lead to the others. */
const inCatalog = (load: () => ScreenModule) => async (): ScreenModule => {
  const [{ Screen }, { CatalogFrame }] = await Promise.all([load(), import('./CatalogFrame.tsx')])
  return { Screen: () => createElement(CatalogFrame, null, createElement(Screen)) }
}

/** What each screen shows, by its address. */
export const SCREEN_PARTS: Readonly<Record<Exclude<ScreenPath, '/health' | '/topology'>, () => ScreenModule>> = {
  '/topology/$id': () => import('./TopologyPage.tsx').then(({ TopologyPage }) => ({ Screen: TopologyPage })),
  '/view/topology': () =>
    import('../features/topology/screens/CardScreen.tsx').then(({ CardScreen }) => ({ Screen: CardScreen })),
  '/view/topology/$id': () =>
    import('../features/topology/screens/SharedViewScreen.tsx').then(({ SharedViewScreen }) => ({
      Screen: SharedViewScreen,
    })),
  '/wall': () =>
    import('../features/wallboard/screens/WallScreen.tsx').then(({ WallScreen }) => ({ Screen: WallScreen })),
  '/wall/boards': () =>
    import('../features/wallboard/screens/BoardsScreen.tsx').then(({ BoardsScreen }) => ({ Screen: BoardsScreen })),
  '/wall/device': () =>
    import('../features/wallboard/screens/DeviceScreen.tsx').then(({ DeviceScreen }) => ({ Screen: DeviceScreen })),
  '/incidents': () =>
    import('../features/incident-list/screens/IncidentListScreen.tsx').then(({ IncidentListScreen }) => ({
      Screen: IncidentListScreen,
    })),
  '/incidents/$id': () =>
    import('./IncidentPage.tsx').then(({ IncidentPage }) => ({
      Screen: IncidentPage,
    })),
  '/logs': () => import('./LogsPage.tsx').then(({ LogsPage }) => ({ Screen: LogsPage })),
  '/playbooks': () =>
    import('../features/playbooks/screens/PlaybooksScreen.tsx').then(({ PlaybooksScreen }) => ({
      Screen: PlaybooksScreen,
    })),
  '/playbooks/new': () =>
    import('../features/playbooks/screens/NewPlaybookScreen.tsx').then(({ NewPlaybookScreen }) => ({
      Screen: NewPlaybookScreen,
    })),
  '/playbooks/$id': () =>
    import('../features/playbooks/screens/PlaybookScreen.tsx').then(({ PlaybookScreen }) => ({
      Screen: PlaybookScreen,
    })),
  '/playbooks/runs': () =>
    import('../features/playbooks/screens/PlaybookRunsScreen.tsx').then(({ PlaybookRunsScreen }) => ({
      Screen: PlaybookRunsScreen,
    })),
  '/playbooks/runs/$id': () =>
    import('./PlaybookRunPage.tsx').then(({ PlaybookRunPage }) => ({ Screen: PlaybookRunPage })),
  '/settings/agents': () =>
    import('../features/agents/screens/AgentsScreen.tsx').then(({ AgentsScreen }) => ({ Screen: AgentsScreen })),
  '/settings/connections': () =>
    import('../features/connections/screens/ConnectionsScreen.tsx').then(({ ConnectionsScreen }) => ({
      Screen: ConnectionsScreen,
    })),
  '/settings/event-queue-status': () =>
    import('../features/event-queue/EventQueueScreen.tsx').then(({ EventQueueScreen }) => ({
      Screen: EventQueueScreen,
    })),
  '/settings/feature-flags': () =>
    import('../features/feature-flags/screens/FeatureFlagsScreen.tsx').then(({ FeatureFlagsScreen }) => ({
      Screen: FeatureFlagsScreen,
    })),
  '/settings/canaries/new': () =>
    import('../features/canaries/screens/NewCanaryScreen.tsx').then(({ NewCanaryScreen }) => ({
      Screen: NewCanaryScreen,
    })),
  '/settings/canaries/$id': () =>
    Promise.all([import('../features/canaries/screens/CanaryScreen.tsx'), jobsOf('canary', 'check')]).then(
      ([{ CanaryScreen }, renderJobs]) => ({ Screen: () => createElement(CanaryScreen, { renderJobs }) }),
    ),
  '/settings/integrations': () =>
    import('../features/integrations/IntegrationsScreen.tsx').then(({ IntegrationsScreen }) => ({
      Screen: IntegrationsScreen,
    })),
  '/settings/integrations/$type/$id': async (): ScreenModule => {
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
  '/settings/jobs': () =>
    import('../features/jobs/screens/JobsScreen.tsx').then(({ JobsScreen }) => ({ Screen: JobsScreen })),
  '/settings/notifications': () =>
    import('../features/notifications/screens/NotificationsScreen.tsx').then(({ NotificationsScreen }) => ({
      Screen: NotificationsScreen,
    })),
  '/settings/notifications/history': () =>
    import('../features/notifications/screens/HistoryScreen.tsx').then(({ HistoryScreen }) => ({
      Screen: HistoryScreen,
    })),
  '/settings/notifications/why': () =>
    import('../features/notifications/screens/WhyScreen.tsx').then(({ WhyScreen }) => ({ Screen: WhyScreen })),
  '/settings/notifications/silence': () =>
    import('../features/notifications/screens/SilenceScreen.tsx').then(({ SilenceScreen }) => ({
      Screen: SilenceScreen,
    })),
  '/settings/users': () =>
    import('../features/users/screens/UsersScreen.tsx').then(({ UsersScreen }) => ({ Screen: UsersScreen })),
  '/settings/outbox': () =>
    import('../features/outbox/OutboxScreen.tsx').then(({ OutboxScreen }) => ({ Screen: OutboxScreen })),
  '/settings/access-tokens': () =>
    import('../features/access-tokens/AccessTokensScreen.tsx').then(({ AccessTokensScreen }) => ({
      Screen: AccessTokensScreen,
    })),
  '/kubeconfig': () => import('./KubeconfigPage.tsx').then(({ KubeconfigPage }) => ({ Screen: KubeconfigPage })),
  [DOCS_PATH]: () =>
    import('../features/docs/screens/DocsScreen.tsx').then(({ DocsScreen }) => ({ Screen: DocsScreen })),
  '/login': () =>
    import('../features/sign-in/screens/LoginScreen.tsx').then(({ LoginScreen }) => ({ Screen: LoginScreen })),
  '/registration': () =>
    import('../features/sign-in/screens/RegistrationScreen.tsx').then(({ RegistrationScreen }) => ({
      Screen: RegistrationScreen,
    })),
  '/recovery': () =>
    import('../features/sign-in/screens/RecoveryScreen.tsx').then(({ RecoveryScreen }) => ({
      Screen: RecoveryScreen,
    })),
  '/verification': () =>
    import('../features/sign-in/screens/VerificationScreen.tsx').then(({ VerificationScreen }) => ({
      Screen: VerificationScreen,
    })),
  '/profile-settings': () =>
    import('../features/sign-in/screens/ProfileSettingsScreen.tsx').then(({ ProfileSettingsScreen }) => ({
      Screen: ProfileSettingsScreen,
    })),
  '/organizations': () =>
    import('../features/sign-in/screens/OrganizationsScreen.tsx').then(({ OrganizationsScreen }) => ({
      Screen: OrganizationsScreen,
    })),
  '/organizations/orgs-switched': () =>
    import('../features/sign-in/screens/OrganizationSwitchedScreen.tsx').then(({ OrganizationSwitchedScreen }) => ({
      Screen: OrganizationSwitchedScreen,
    })),
  '/auth-state-checker': () =>
    import('../features/sign-in/screens/AuthStateChecker.tsx').then(({ AuthStateChecker }) => ({
      Screen: AuthStateChecker,
    })),
  '/error': () =>
    import('../features/sign-in/screens/BadSessionScreen.tsx').then(({ BadSessionScreen }) => ({
      Screen: BadSessionScreen,
    })),
  '/error/$id': () =>
    import('../features/sign-in/screens/FlowErrorScreen.tsx').then(({ FlowErrorScreen }) => ({
      Screen: FlowErrorScreen,
    })),
  '/settings/canaries': settingsList('canaries'),
  '/catalog': inCatalog(() =>
    import('../features/catalog-list/screens/CatalogScreen.tsx').then(({ CatalogScreen }) => ({
      Screen: CatalogScreen,
    })),
  ),
  '/catalog/changes': inCatalog(() => import('./ChangesPage.tsx').then(({ ChangesPage }) => ({ Screen: ChangesPage }))),
  '/catalog/insights': inCatalog(() =>
    import('./InsightsPage.tsx').then(({ InsightsPage }) => ({ Screen: InsightsPage })),
  ),
  '/catalog/$id': configTab('config'),
  '/catalog/$id/changes': configTab('changes'),
  '/catalog/$id/insights': configTab('insights'),
  '/catalog/$id/relationships': configTab('relationships'),
  '/catalog/$id/playbooks': configTab('playbooks'),
  '/catalog/$id/checks': configTab('checks'),
  ...settings('config_scrapers', '/catalog/scrapers'),
  '/catalog/scrapers': inCatalog(scraperList),
  '/catalog/scrapers/new': newScraper,
  '/catalog/scrapers/$id': scraperRow,
  ...settings('logging_backends', '/settings/logging_backends'),
  ...settings('incident_rules', '/settings/incident_rules'),
  ...settings('teams', '/settings/teams'),
  ...settings('topologies', '/settings/topologies'),
  '/settings/topologies/new': newTopology,
  '/settings/topologies/$id': topologyRow,
}
