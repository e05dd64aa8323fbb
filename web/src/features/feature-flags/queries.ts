import { type FeatureFlag, FeatureFlagSchema } from '@watchroom/shared/settings'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { removeRow } from '../../api/wholeRows.ts'

/** All flags by REST, for as long as the live link is down. */
export function fetchFlags(signal: AbortSignal): Promise<FeatureFlag[]> {
  return request('/api/properties', { schema: z.array(FeatureFlagSchema), signal })
}

/** The row itself, which knows who made it and when. */
const StoredFlagSchema = z.object({
  name: z.string(),
  value: z.string(),
  created_at: z.string().nullish(),
  updated_at: z.string().nullish(),
})
export type StoredFlag = z.output<typeof StoredFlagSchema>

export const LOCAL_REFUSAL = 'Cannot edit local feature flags'

/** Looked up when one is opened (backend reference 5.4), and saved over exactly what was read. */
export const flagTable = defineTable<StoredFlag>({
  name: 'properties',
  row: StoredFlagSchema,
  select: 'name,value,created_at,updated_at',
  key: 'name',
})

export const removeFlag = (name: string): Promise<unknown> => removeRow('properties', { name })
