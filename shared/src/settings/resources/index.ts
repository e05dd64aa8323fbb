import type { SettingsResource } from '../settingsResource.ts'
import { canaries } from './canaries.ts'
import { configScrapers } from './configScrapers.ts'
import { connections } from './connections.ts'
import { incidentRules } from './incidentRules.ts'
import { loggingBackends } from './loggingBackends.ts'
import { teams } from './teams.ts'
import { topologies } from './topologies.ts'

const resources = {
  canaries,
  config_scrapers: configScrapers,
  connections,
  incident_rules: incidentRules,
  logging_backends: loggingBackends,
  teams,
  topologies,
} as const

export type SettingsTable = keyof typeof resources

/** Every table of settings that is made of a definition, by its name. */
export const SETTINGS_RESOURCES: Readonly<Record<SettingsTable, SettingsResource>> = resources
