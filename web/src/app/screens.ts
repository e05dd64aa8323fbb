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
import type { CapabilityName, PolicyObject, Resource } from '@watchroom/shared/access'
import { capitalize } from '@watchroom/shared/kernel'
import {
  type FeatureArea,
  SETTINGS_RESOURCES,
  type SettingsResource,
  type SettingsTable,
} from '@watchroom/shared/settings'
import type { ComponentType } from 'react'

import { DOCS_PATH } from './links.ts'

/** One screen of the product. Routes, sidebar and breadcrumbs derive from the list of them; `screenParts.ts` says what each shows. */
export interface ScreenEntry {
  readonly path: string
  /** What people call it. */
  readonly title: string
  /**
   * `bare` pages need no session; `alone` is for signed-in people like the shell, but fills the window; `view` is `alone` and
   * does not wait for the feature flags. Default: `shell`.
   */
  readonly frame?: 'bare' | 'alone' | 'view'
  /** The right to read it is required to see the screen. */
  readonly resource?: Resource
  /** The object in another backend's policy, if not that of the resource. */
  readonly object?: PolicyObject
  /** If the area is switched off, the screen is gone. */
  readonly area?: FeatureArea
  /** Without this capability of the backend, the sidebar hides the screen, and whoever opens it is told why. */
  readonly needs?: CapabilityName
  /** Screens with an icon are in the sidebar: under Settings if their path is, otherwise as an area. */
  readonly icon?: ComponentType<SVGIconProps>
}

type Icon = NonNullable<ScreenEntry['icon']>

const rightsTo = (table: SettingsTable): Pick<SettingsResource, 'resource' | 'object' | 'area'> => {
  const { resource, object, area }: SettingsResource = SETTINGS_RESOURCES[table]
  return { resource, area, ...(object === undefined ? {} : { object }) }
}

/** The list of a table of settings. */
const settingsList = <const Path extends string>(table: SettingsTable, path: Path, icon?: Icon) =>
  ({
    path,
    title: SETTINGS_RESOURCES[table].title,
    ...rightsTo(table),
    ...(icon === undefined ? {} : { icon }),
  }) as const

/** The list of a table of settings, the form that adds a row, and the form of a row. */
const settings = <const Path extends string>(table: SettingsTable, path: Path, icon?: Icon) => {
  const { noun } = SETTINGS_RESOURCES[table]
  return [
    settingsList(table, path, icon),
    { path: `${path}/new` as const, title: `New ${noun}`, ...rightsTo(table) },
    { path: `${path}/$id` as const, title: capitalize(noun), ...rightsTo(table) },
  ] as const
}

/** A page of a config item. */
const configTab = <const Path extends string>(path: Path) =>
  ({ path, title: 'Config item', resource: 'database', area: 'config' }) as const

/** Every screen, those of the sidebar in the order of the specification. */
export const SCREENS = [
  {
    path: '/topology',
    title: 'Dashboard',
    resource: 'topologies',
    area: 'topology',
    icon: GridView,
  },
  {
    path: '/topology/$id',
    title: 'Component',
    resource: 'topologies',
    area: 'topology',
  },
  // Shared with people who may read topologies and perhaps nothing else: these views do not wait for the feature flags.
  {
    path: '/view/topology',
    title: 'Component',
    frame: 'view',
    resource: 'topologies',
  },
  {
    path: '/view/topology/$id',
    title: 'Component',
    frame: 'view',
    resource: 'topologies',
  },
  {
    path: '/health',
    title: 'Health',
    resource: 'canaries',
    area: 'health',
    icon: Pulse,
  },
  {
    path: '/wall',
    title: 'Wall',
    frame: 'alone',
    resource: 'canaries',
    area: 'health',
  },
  {
    path: '/wall/boards',
    title: 'Wallboards',
    resource: 'canaries',
    area: 'health',
  },
  {
    path: '/wall/device',
    title: 'Wall of a screen',
    frame: 'bare',
  },
  {
    path: '/incidents',
    title: 'Incidents',
    resource: 'incident',
    area: 'incidents',
    icon: TakeAction,
  },
  {
    path: '/incidents/$id',
    title: 'Incident',
    resource: 'incident',
    area: 'incidents',
  },
  { path: '/catalog', title: 'Catalog', resource: 'database', area: 'config', icon: Box },
  ...settings('config_scrapers', '/catalog/scrapers'),
  { path: '/catalog/changes', title: 'Changes', resource: 'database', area: 'config' },
  { path: '/catalog/insights', title: 'Insights', resource: 'database', area: 'config' },
  configTab('/catalog/$id'),
  configTab('/catalog/$id/changes'),
  configTab('/catalog/$id/insights'),
  configTab('/catalog/$id/relationships'),
  configTab('/catalog/$id/playbooks'),
  configTab('/catalog/$id/checks'),
  {
    path: '/logs',
    title: 'Logs',
    resource: 'database',
    object: 'logs',
    area: 'logs',
    needs: 'logs',
    icon: Console,
  },
  {
    path: '/playbooks',
    title: 'Playbooks',
    resource: 'playbooks',
    area: 'playbooks',
    icon: Playbook,
  },
  {
    path: '/playbooks/new',
    title: 'New playbook',
    resource: 'playbooks',
    area: 'playbooks',
  },
  {
    path: '/playbooks/$id',
    title: 'Playbook',
    resource: 'playbooks',
    area: 'playbooks',
  },
  {
    path: '/playbooks/runs',
    title: 'Playbook runs',
    resource: 'playbook_runs',
    area: 'playbooks',
  },
  {
    path: '/playbooks/runs/$id',
    title: 'Playbook run',
    resource: 'playbook_runs',
    area: 'playbooks',
  },
  {
    path: '/settings/agents',
    title: 'Agents',
    resource: 'agents',
    area: 'agents',
    icon: Cloud,
  },
  {
    path: '/settings/connections',
    title: 'Connections',
    resource: 'connections',
    area: 'settings.connections',
    icon: Key,
  },
  {
    path: '/settings/event-queue-status',
    title: 'Event Queue',
    resource: 'database',
    object: 'monitor',
    area: 'settings.event_queue_status',
    icon: Inbox,
  },
  {
    path: '/settings/feature-flags',
    title: 'Feature Flags',
    resource: 'feature_flags',
    object: 'system',
    area: 'settings.feature_flags',
    icon: Flag,
  },
  settingsList('canaries', '/settings/canaries', Diagnosis),
  {
    path: '/settings/canaries/new',
    title: 'Add check',
    resource: 'canaries',
    area: 'settings.health',
  },
  {
    path: '/settings/canaries/$id',
    title: 'Health check',
    resource: 'canaries',
    area: 'settings.health',
  },
  {
    path: '/settings/integrations',
    title: 'Integrations',
    resource: 'integrations',
    area: 'settings.integrations',
    icon: DataConnection,
  },
  {
    path: '/settings/integrations/$type/$id',
    title: 'Integration',
    resource: 'integrations',
    area: 'settings.integrations',
  },
  {
    path: '/settings/jobs',
    title: 'Jobs History',
    resource: 'database',
    object: 'monitor',
    area: 'settings.job_history',
    icon: History,
  },
  ...settings('logging_backends', '/settings/logging_backends', Archive),
  {
    path: '/settings/notifications',
    title: 'Notifications',
    resource: 'notifications',
    object: 'monitor',
    area: 'settings.notifications',
    icon: Notifications,
  },
  {
    path: '/settings/notifications/history',
    title: 'Notification history',
    resource: 'notifications',
    object: 'monitor',
    area: 'settings.notifications',
    needs: 'notificationHistory',
  },
  {
    path: '/settings/notifications/why',
    title: 'Why (not)?',
    resource: 'notifications',
    area: 'settings.notifications',
    needs: 'notificationReasons',
  },
  {
    path: '/settings/notifications/silence',
    title: 'Silences',
    resource: 'notifications',
    area: 'settings.notifications',
  },
  ...settings('incident_rules', '/settings/incident_rules', Changes),
  ...settings('teams', '/settings/teams', People),
  ...settings('topologies', '/settings/topologies', DiagramTree),
  {
    path: '/settings/users',
    title: 'Users',
    resource: 'identities',
    area: 'settings.users',
    needs: 'people',
    icon: User,
  },
  {
    path: '/settings/outbox',
    title: 'Outbox',
    resource: 'identities',
    area: 'settings.users',
    needs: 'outbox',
    icon: Envelope,
  },
  {
    path: '/settings/access-tokens',
    title: 'Access tokens',
    needs: 'accessTokens',
  },
  {
    path: '/kubeconfig',
    title: 'Kubeconfig',
    resource: 'database',
  },
  {
    path: DOCS_PATH,
    title: 'Docs',
  },
  {
    path: '/login',
    title: 'Sign in',
    frame: 'bare',
  },
  {
    path: '/registration',
    title: 'Create account',
    frame: 'bare',
  },
  {
    path: '/recovery',
    title: 'Recover account',
    frame: 'bare',
  },
  {
    path: '/verification',
    title: 'Verify your account',
    frame: 'bare',
  },
  {
    path: '/profile-settings',
    title: 'Profile settings',
    frame: 'bare',
  },
  {
    path: '/organizations',
    title: 'Choose an organization',
    frame: 'bare',
  },
  {
    path: '/organizations/orgs-switched',
    title: 'Switching organization',
    frame: 'bare',
  },
  {
    path: '/auth-state-checker',
    title: 'Signing in',
    frame: 'bare',
  },
  {
    path: '/error',
    title: 'Bad session',
    frame: 'bare',
  },
  {
    path: '/error/$id',
    title: 'Error',
    frame: 'bare',
  },
] as const satisfies readonly ScreenEntry[]
export type ScreenPath = (typeof SCREENS)[number]['path']

/** What a screen shows, loaded when it is opened. */
export type ScreenModule = Promise<{ Screen: ComponentType }>

/** The same list without its literal types. */
const ENTRIES: readonly ScreenEntry[] = SCREENS

/** The parent pages in the same frame, outermost first: those whose path is a prefix. */
export function screensAbove(path: string): readonly ScreenEntry[] {
  const above = ENTRIES.filter(
    // Tabs of one thing are siblings, not parents of each other.
    (entry) => entry.frame === undefined && !entry.path.includes('$') && path.startsWith(`${entry.path}/`),
  )
  return above.toSorted((a, b) => a.path.length - b.path.length)
}
