import type { SettingsResource } from '../settingsResource.ts'

/** What opens incidents by itself. Third specification: name and spec. */
export const incidentRules: SettingsResource = {
  table: 'incident_rules',
  resource: 'database',
  area: 'settings.rules',
  title: 'Rules',
  noun: 'rule',
  nouns: 'rules',
  purpose: 'Rules open an incident when a component that they select becomes unhealthy.',
  loss: 'It opens no more incidents; those that it opened stay.',
  fields: [],
  jobs: 'incident_rule',
}
