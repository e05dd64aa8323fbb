import type { SettingsResource } from '../settingsResource.ts'

/** Who answers for what. Third specification: name, spec, icon, and members. */
export const teams: SettingsResource = {
  table: 'teams',
  resource: 'database',
  object: 'public',
  area: 'settings.teams',
  title: 'Teams',
  noun: 'team',
  nouns: 'teams',
  fields: ['icon'],
  statusView: 'teams_with_status',
  jobs: 'team',
}
