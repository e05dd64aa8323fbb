import {
  SETTINGS_RESOURCES,
  type SettingsResource,
  type SettingsRow,
  type SettingsTable,
  settingsTexts,
} from '@watchroom/shared/settings'
import { createElement, type ReactElement } from 'react'

import type { ScreenModule, ScreenPath } from './screens.ts'

// Separate from the other screens: only operators open them.

/** Paths of settings: lists, forms and their jobs. */
export type SettingsPath = Extract<ScreenPath, `/settings/${string}` | `/catalog/scrapers${string}`>

/** The tab Job History of a resource. @param resourceType as jobs call it */
const jobsOf = async (resourceType: string, noun: string, note?: string) => {
  const { ResourceJobs } = await import('../features/jobs/components/ResourceJobs.tsx')
  return (resourceId: string): ReactElement => createElement(ResourceJobs, { resourceType, resourceId, noun, note })
}

/** The tabs of a row besides its spec: those of its table alone, then the jobs. */
async function tabsOf({ table, jobs, noun }: SettingsResource) {
  const note = settingsTexts({ table }).jobs
  const [own, renderJobs] = await Promise.all([
    table === 'teams' ? teamTabs() : [],
    jobs === undefined ? null : jobsOf(jobs, noun, note),
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

/** Scrapers, and how many items each one found. */
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

/** What each of these screens shows, by its path. */
export const SETTINGS_PARTS: Readonly<Record<SettingsPath, () => ScreenModule>> = {
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
    Promise.all([
      import('../features/canaries/screens/CanaryScreen.tsx'),
      jobsOf('canary', 'check'),
      import('../features/check-panel/components/SilencedNotice.tsx'),
    ]).then(([{ CanaryScreen }, renderJobs, { SilencedNotice }]) => {
      const renderSilence = (id: string): ReactElement => createElement(SilencedNotice, { id })
      return { Screen: () => createElement(CanaryScreen, { renderJobs, renderSilence }) }
    }),
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
      // Integrations of every kind have the tab; the page of a log backend alone does not.
      tabsOf({ ...logging_backends, jobs: 'logging_backend' }),
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
  '/settings/canaries': settingsList('canaries'),
  '/catalog/scrapers': scraperList,
  '/catalog/scrapers/new': newScraper,
  '/catalog/scrapers/$id': scraperRow,
  ...settings('logging_backends', '/settings/logging_backends'),
  ...settings('incident_rules', '/settings/incident_rules'),
  ...settings('teams', '/settings/teams'),
  ...settings('topologies', '/settings/topologies'),
  '/settings/topologies/new': newTopology,
  '/settings/topologies/$id': topologyRow,
}
