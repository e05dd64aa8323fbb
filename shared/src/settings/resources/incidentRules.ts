import type { SettingsResource } from '../settingsResource.ts'

/** What opens incidents by itself. Third specification: name and spec. */
export const incidentRules: SettingsResource = {
  table: 'incident_rules',
  resource: 'database',
  object: 'incident',
  area: 'settings.rules',
  title: 'Rules',
  noun: 'rule',
  nouns: 'rules',
  fields: [],
  jobs: 'incident_rule',
}
