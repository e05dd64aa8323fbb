import { type SettingsResource, SettingsRowSchema } from '@watchroom/shared/settings'

import { defineTable } from '../../api/tables.ts'

const shared = { row: SettingsRowSchema, select: '*,created_by(id,name,avatar)', filter: 'deleted_at=is.null' } as const

/** Rows as a list shows them, with their last job where there is one, and as they are edited. */
export const settingsTables = ({ table, statusView = table }: SettingsResource) => ({
  list: defineTable({ ...shared, name: statusView }),
  one: defineTable({ ...shared, name: table }),
})
