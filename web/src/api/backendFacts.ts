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

/** The gateway answers from memory, but a different backend may be behind it after a while. */
const FRESH_FOR_MS = 60_000

const backendFactsQuery = queryOptions({
  queryKey: backendFactsKey,
  queryFn: ({ signal }) => request(OPERATION_ROUTES.readBackend.path, { schema: BackendFactsSchema, signal }),
  staleTime: FRESH_FOR_MS,
})

/** Keeps the facts below up to date. Mounted once, above everything that reads them. */
export function BackendFactsWatch(): null {
  useQuery({ ...backendFactsQuery, refetchInterval: FRESH_FOR_MS })
  return null
}

/** What the backend behind the gateway is; undefined until it is known. */
export const useBackendFacts = (): BackendFacts | undefined => useQuery({ ...backendFactsQuery, enabled: false }).data

/** Why something is not offered here; null where it is. Also null until that is known: the backend itself refuses then. */
export function useMissing(name: CapabilityName): string | null {
  return useBackendFacts()?.missing.includes(name) ? CAPABILITIES[name] : null
}
