import { type FeatureFlag, FeatureFlagSchema } from '@watchroom/shared/settings'
import { z } from 'zod'

import { request } from '../../api/request.ts'

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

const rowOf = (name: string): string => `/api/db/properties?name=eq.${encodeURIComponent(name)}`

/** The flag as it is stored, looked up when it is opened (backend reference 5.4); null where someone removed it meanwhile. */
export async function readFlag(name: string, signal: AbortSignal): Promise<StoredFlag | null> {
  const [row] = await request(rowOf(name), { schema: z.array(StoredFlagSchema), signal })
  return row ?? null
}

export interface FlagValues {
  readonly name: string
  readonly value: string
}

/** Creates what has no `created_at`, updates what has (third specification, section 4). */
export async function saveFlag(flag: FlagValues, stored: StoredFlag | null, userId: string): Promise<void> {
  if (stored?.created_at == null) {
    await request('/api/db/properties', {
      method: 'POST',
      body: { ...flag, created_by: userId },
      schema: z.unknown(),
    })
    return
  }
  await request(rowOf(stored.name), { method: 'PATCH', body: { value: flag.value }, schema: z.unknown() })
}

export async function removeFlag(name: string): Promise<void> {
  await request(rowOf(name), { method: 'DELETE', schema: z.unknown() })
}
