import { useQuery } from '@tanstack/react-query'
import type { Resource } from '@watchroom/shared/access'
import { z } from 'zod'

import { useMissing } from '../api/backendFacts.ts'
import { savedByKey } from '../api/queryKeys.ts'
import { request } from '../api/request.ts'
import { useSession } from '../api/session.tsx'
import { defineTable, type ListAsk } from '../api/tables.ts'

const values = z.record(z.string(), z.unknown())
const VersionSchema = z.object({
  id: z.number(),
  version: values,
  previous: values.nullable(),
  saved_at: z.string(),
  saved_by: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  credentials_changed: z.array(z.string()),
})
export type Version = z.infer<typeof VersionSchema>

export const versionTable = defineTable({ name: 'settings_history', row: VersionSchema })

const newest = (table: string, id: string, limit: number): ListAsk => ({
  filters: [`table_name=eq.${table}`, `row_id=eq.${id}`],
  order: { by: 'id', direction: 'desc' },
  limit,
})

/** The versions of a row, newest first. */
export const versionsQuery = (table: string, id: string, limit: number) =>
  versionTable.listQuery(newest(table, id, limit))

interface SavedRow {
  readonly table: string
  /** Whose right opens the history. */
  readonly resource: Resource
  readonly id: string
  /** The version that someone else saved; null while it is the one being edited. */
  readonly revision: string | null
}

/** Who saved a version while another was being edited; null while unknown, or where no history is kept. */
export function useSavedBy({ table, resource, id, revision }: SavedRow): string | null {
  const isKept = useMissing('settingsHistory') === null
  const mayRead = useSession().can('read', resource)
  const { data } = useQuery({
    // Per version: the author of another version would be the wrong one.
    queryKey: savedByKey(table, id, revision),
    queryFn: ({ signal }) =>
      request(versionTable.listPath(newest(table, id, 1)), { schema: z.array(VersionSchema), signal }),
    enabled: isKept && mayRead && revision !== null,
  })
  return data?.[0]?.saved_by?.name ?? null
}
