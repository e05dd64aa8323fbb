import type { SettingsResource } from '../settingsResource.ts'

/** Who answers for what. Third specification: name, spec, icon, and members. */
export const teams: SettingsResource = {
  table: 'teams',
  resource: 'database',
  area: 'settings.teams',
  title: 'Teams',
  noun: 'team',
  nouns: 'teams',
  purpose: 'Teams own components, are told what happens to them, and answer for incidents.',
  loss: 'It no longer owns components, and nothing is sent to it.',
  fields: ['icon'],
  statusView: 'teams_with_status',
  jobs: 'team',
}
