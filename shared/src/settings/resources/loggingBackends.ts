import type { SettingsResource } from '../settingsResource.ts'

/** Systems that hold logs. Third specification: name, labels, spec. */
export const loggingBackends: SettingsResource = {
  table: 'logging_backends',
  resource: 'logging_backends',
  area: 'settings.logging_backends',
  title: 'Log Backends',
  noun: 'log backend',
  nouns: 'log backends',
  fields: ['labels'],
}
