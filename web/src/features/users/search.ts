import { ROLES } from '@watchroom/shared/access'
import { z } from 'zod'

import { pageFields, sortFields } from '../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'

const USER_SORT_KEYS = ['name', 'email', 'role', 'state', 'lastSeenAt', 'createdAt'] as const
export type UserSortKey = (typeof USER_SORT_KEYS)[number]

/** What a link to the users page carries; nonsense falls back key by key. */
export const UserSearchSchema = z.object({
  query: z.string().catch(''),
  role: z.enum([...ROLES, '']).catch(''),
  /** Opens the dialog that invites someone. */
  invite: booleanField(),
  /** Opens the dialog of this person. */
  id: idField,
  ...pageFields(SHORT_PAGE_SIZES, SHORT_PAGE_SIZES[0]),
  ...sortFields(USER_SORT_KEYS, 'name', 'asc'),
})
export type UserSearch = z.infer<typeof UserSearchSchema>
