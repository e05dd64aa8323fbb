import { ROLES } from '@watchroom/shared/access'
import { z } from 'zod'

import { pageIndexField, pageSizeField } from '../../ui/table/listSearch.ts'
import { SHORT_PAGE_SIZES } from '../../ui/table/pages.ts'
import { booleanField, idField } from '../../url/searchFields.ts'

const USER_SORT_KEYS = ['name', 'email', 'role', 'state', 'lastSeenAt', 'createdAt'] as const
export type UserSortKey = (typeof USER_SORT_KEYS)[number]

/** What a link to the users page carries; nonsense falls back key by key. */
export type UserSearch = {
  query: string
  role: (typeof ROLES)[number] | ''
  /** Opens the dialog that invites someone. */
  invite: boolean
  /** Opens the dialog of this person. */
  id: string
  pageIndex: number
  pageSize: number
  sortBy: UserSortKey
  sortOrder: 'asc' | 'desc'
}

export const UserSearchSchema: z.ZodType<UserSearch> = z.object({
  query: z.string().catch(''),
  role: z.enum([...ROLES, '']).catch(''),
  invite: booleanField(),
  id: idField,
  pageIndex: pageIndexField,
  pageSize: pageSizeField(SHORT_PAGE_SIZES, SHORT_PAGE_SIZES[0]),
  sortBy: z.enum(USER_SORT_KEYS).catch('name'),
  sortOrder: z.enum(['asc', 'desc']).catch('asc'),
})
