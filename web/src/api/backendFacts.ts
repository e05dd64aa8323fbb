import { queryOptions, useQuery } from '@tanstack/react-query'
import {
  type BackendFacts,
  BackendFactsSchema,
  CAPABILITIES,
  type CapabilityName,
  OPERATION_ROUTES,
} from '@watchroom/shared/access'

import { backendFactsKey } from './queryKeys.ts'
import { request } from './request.ts'

/** The gateway knows it by heart; another backend may answer behind it after a while. */
const FRESH_FOR_MS = 60_000

const backendFactsQuery = queryOptions({
  queryKey: backendFactsKey,
  queryFn: ({ signal }) => request(OPERATION_ROUTES.readBackend.path, { schema: BackendFactsSchema, signal }),
  staleTime: FRESH_FOR_MS,
})

/** Keeps what follows known; once, above everything that wants to know. */
export function BackendFactsWatch(): null {
  useQuery({ ...backendFactsQuery, refetchInterval: FRESH_FOR_MS })
  return null
}

/** What stands behind the gateway; undefined until it is known. */
export const useBackendFacts = (): BackendFacts | undefined => useQuery({ ...backendFactsQuery, enabled: false }).data

/** Why something is not offered here; null where it is, and until that is known: the backend then says so itself. */
export function useMissing(name: CapabilityName): string | null {
  return useBackendFacts()?.missing.includes(name) ? CAPABILITIES[name] : null
}
