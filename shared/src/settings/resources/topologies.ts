import type { SettingsResource } from '../settingsResource.ts'

/** What makes components. Third specification: name, namespace, labels, spec, and a schedule. */
export const topologies: SettingsResource = {
  table: 'topologies',
  resource: 'topologies',
  area: 'settings.topology',
  title: 'Topology',
  noun: 'topology',
  nouns: 'topologies',
  fields: ['namespace', 'labels', 'schedule'],
  statusView: 'topologies_with_status',
  hasAgent: true,
  jobs: 'topology',
}
