import type { SettingsResource } from '../settingsResource.ts'
import { loggingBackends } from './loggingBackends.ts'

const resources = { logging_backends: loggingBackends } as const

export type SettingsTable = keyof typeof resources

/** Every table of settings that is made of a definition, by its name. */
export const SETTINGS_RESOURCES: Readonly<Record<SettingsTable, SettingsResource>> = resources
