import type { SettingsResource } from '../settingsResource.ts'

/** Definitions of checks. The list alone: they have an editor of their own. */
export const canaries: SettingsResource = {
  table: 'canaries',
  resource: 'canaries',
  area: 'settings.health',
  title: 'Health Check',
  noun: 'check',
  nouns: 'health checks',
  fields: ['namespace', 'labels', 'schedule'],
  statusView: 'canaries_with_status',
  hasAgent: true,
  jobs: 'canary',
  isListAlone: true,
}
