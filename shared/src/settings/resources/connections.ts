import type { SettingsResource } from '../settingsResource.ts'

/** Addresses and credentials of other systems. Its screens are its own: web/src/features/connections. */
export const connections: SettingsResource = {
  table: 'connections',
  resource: 'connections',
  area: 'settings.connections',
  title: 'Connections',
  noun: 'connection',
  nouns: 'connections',
  fields: ['namespace'],
  statusView: 'connections_with_status',
  signs: ['tested_at'],
}
