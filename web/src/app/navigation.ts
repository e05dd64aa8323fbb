import {
  Archive,
  Box,
  Changes,
  Cloud,
  Console,
  DataConnection,
  Diagnosis,
  DiagramTree,
  Flag,
  GridView,
  History,
  type SVGIconProps,
  Inbox,
  Key,
  Notifications,
  People,
  Playbook,
  Pulse,
  TakeAction,
} from '@blueprintjs/icons'
import { can, highestRole, type Resource, type Role } from '@watchroom/shared/access'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { ComponentType } from 'react'

export interface NavigationEntry {
  readonly title: string
  readonly path: string
  /** Read on it is needed to see the entry and its screen. */
  readonly resource: Resource
  /** Switched off, the entry and its screen are gone. */
  readonly area?: FeatureArea
  readonly icon: ComponentType<SVGIconProps>
}

/** The sidebar, in the order of the specification. */
export const MAIN_ENTRIES: readonly NavigationEntry[] = [
  { title: 'Dashboard', path: '/topology', resource: 'topologies', area: 'topology', icon: GridView },
  { title: 'Health', path: '/health', resource: 'canaries', area: 'health', icon: Pulse },
  { title: 'Incidents', path: '/incidents', resource: 'incident', area: 'incidents', icon: TakeAction },
  { title: 'Catalog', path: '/catalog', resource: 'database', area: 'config', icon: Box },
  { title: 'Logs', path: '/logs', resource: 'database', area: 'logs', icon: Console },
  { title: 'Playbooks', path: '/playbooks', resource: 'playbooks', area: 'playbooks', icon: Playbook },
]

const settings: readonly NavigationEntry[] = [
  { title: 'Agents', path: '/settings/agents', resource: 'agents', area: 'agents', icon: Cloud },
  {
    title: 'Connections',
    path: '/settings/connections',
    resource: 'connections',
    area: 'settings.connections',
    icon: Key,
  },
  {
    title: 'Event Queue',
    path: '/settings/event-queue-status',
    resource: 'database',
    area: 'settings.event_queue_status',
    icon: Inbox,
  },
  {
    title: 'Feature Flags',
    path: '/settings/feature-flags',
    resource: 'feature_flags',
    area: 'settings.feature_flags',
    icon: Flag,
  },
  {
    title: 'Health Check',
    path: '/settings/canaries',
    resource: 'canaries',
    area: 'settings.health',
    icon: Diagnosis,
  },
  {
    title: 'Integrations',
    path: '/settings/integrations',
    resource: 'integrations',
    area: 'settings.integrations',
    icon: DataConnection,
  },
  { title: 'Jobs History', path: '/settings/jobs', resource: 'database', area: 'settings.job_history', icon: History },
  {
    title: 'Log Backends',
    path: '/settings/logging-backends',
    resource: 'logging_backends',
    area: 'settings.logging_backends',
    icon: Archive,
  },
  {
    title: 'Notifications',
    path: '/settings/notifications',
    resource: 'notifications',
    area: 'settings.notifications',
    icon: Notifications,
  },
  { title: 'Rules', path: '/settings/incident_rules', resource: 'incident', area: 'settings.rules', icon: Changes },
  { title: 'Teams', path: '/settings/teams', resource: 'database', area: 'settings.teams', icon: People },
  {
    title: 'Topology',
    path: '/settings/topologies',
    resource: 'topologies',
    area: 'settings.topology',
    icon: DiagramTree,
  },
]

/** The Settings submenu, sorted by name. */
export const SETTINGS_ENTRIES: readonly NavigationEntry[] = settings.toSorted((a, b) => a.title.localeCompare(b.title))

export interface Viewpoint {
  readonly roles: readonly Role[]
  readonly disabledAreas: ReadonlySet<FeatureArea>
}

/** What the sidebar shows to somebody. `settings` is empty for viewers, whatever they may read. */
export function visibleNavigation({ roles, disabledAreas }: Viewpoint): {
  main: NavigationEntry[]
  settings: NavigationEntry[]
} {
  const isVisible = ({ resource, area }: NavigationEntry): boolean =>
    can(roles, 'read', resource) && (area === undefined || !disabledAreas.has(area))
  return {
    main: MAIN_ENTRIES.filter(isVisible),
    settings: highestRole(roles) === 'viewer' ? [] : SETTINGS_ENTRIES.filter(isVisible),
  }
}
