import { z } from 'zod'

import { SETTINGS_RESOURCES, type SettingsTable } from '../../settings/index.ts'
import type { Topic } from '../topic.ts'

const SettingsVersionSchema = z.object({ id: z.string(), version: z.string() })

/** Which version of a row of settings there is. Says that it changed; what it is now is read where it is shown. */
export type SettingsVersion = z.infer<typeof SettingsVersionSchema>

/** The rows of one table of settings that are not deleted. */
export const settingsTopic: Topic<{ table: SettingsTable }, SettingsVersion> = {
  name: 'settings',
  params: z.strictObject({ table: z.enum(Object.keys(SETTINGS_RESOURCES) as [SettingsTable]) }),
  row: SettingsVersionSchema,
  key: 'id',
  resource: ({ table }) => SETTINGS_RESOURCES[table].resource,
  source: ({ table }) => `${table}?deleted_at=is.null`,
}
