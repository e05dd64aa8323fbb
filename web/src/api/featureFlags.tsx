import { queryOptions, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FeatureArea, type FeatureFlag, FeatureFlagSchema, toDisabledAreas } from '@watchroom/shared/settings'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { z } from 'zod'

import { isWorthRetrying } from './queryClient.ts'
import { propertiesKey } from './queryKeys.ts'
import { request } from './request.ts'

const PropertiesSchema = z.array(FeatureFlagSchema)

/** Longer than it takes to find the session: an answer requested in parallel is used, not requested again. */
const FRESH_FOR_MS = 10_000

const propertiesQuery = queryOptions({
  queryKey: propertiesKey,
  queryFn: ({ signal }) => request('/api/properties', { schema: PropertiesSchema, signal }),
  staleTime: FRESH_FOR_MS,
  // Nothing can be shown without it, so even a refusal is retried once.
  retry: (failures, error) => failures === 0 || isWorthRetrying(failures, error),
})

/** Requests early what `FeatureFlagsProvider` will need. */
export const useEarlyFeatureFlags = (): void => usePrefetchQuery(propertiesQuery)

const DisabledAreasContext = createContext<ReadonlySet<FeatureArea> | null>(null)

/** Areas that this installation has switched off. */
export function useDisabledAreas(): ReadonlySet<FeatureArea> {
  const areas = useContext(DisabledAreasContext)
  if (areas === null) throw new Error('useDisabledAreas outside FeatureFlagsProvider')
  return areas
}

interface FeatureFlagsProviderProps {
  children: ReactNode
  /** Whether the children wait for the answer. If not, nothing counts as switched off until it arrives. */
  isAwaited?: boolean
  loading: ReactNode
  failed: (error: unknown, retry: () => void) => ReactNode
}

const NOTHING_OFF: ReadonlySet<FeatureArea> = new Set()

/** Shows its children once it is known which areas are switched off. */
export function FeatureFlagsProvider(props: FeatureFlagsProviderProps): ReactNode {
  const { children, isAwaited = true, loading, failed } = props
  const query = useQuery(propertiesQuery)
  const known = useMemo(() => (query.data ? toDisabledAreas(query.data) : null), [query.data])
  const areas = known ?? (isAwaited ? null : NOTHING_OFF)
  if (areas !== null) return <DisabledAreasContext value={areas}>{children}</DisabledAreasContext>
  if (query.isError) return failed(query.error, () => void query.refetch())
  return loading
}

/** Applies the current flags to this page, wherever they came from. */
export function useFollowFlags(flags: readonly FeatureFlag[] | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (flags !== null) queryClient.setQueryData(propertiesQuery.queryKey, [...flags])
  }, [flags, queryClient])
}

/** Provides a fixed set of areas, for tests of single screens. */
export function FixedFeatureFlags({ areas, children }: { areas: ReadonlySet<FeatureArea>; children: ReactNode }) {
  return <DisabledAreasContext value={areas}>{children}</DisabledAreasContext>
}
