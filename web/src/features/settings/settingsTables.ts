import { type SettingsResource, SettingsRowSchema } from '@watchroom/shared/settings'

import { defineTable } from '../../api/tables.ts'

const SELECT = '*,created_by(id,name,avatar)'
const shared = { row: SettingsRowSchema, filter: 'deleted_at=is.null' } as const

/** Rows as a list shows them, with their last job where there is one, and as they are edited. */
export const settingsTables = ({ table, statusView = table, hasAgent }: SettingsResource) => ({
  list: defineTable({ ...shared, name: statusView, select: SELECT }),
  one: defineTable({ ...shared, name: table, select: hasAgent ? `${SELECT},agent:agents(id,name)` : SELECT }),
})
