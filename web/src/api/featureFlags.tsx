import { queryOptions, usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FeatureArea, type FeatureFlag, FeatureFlagSchema, toDisabledAreas } from '@watchroom/shared/settings'
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react'
import { z } from 'zod'

import { isWorthRetrying } from './queryClient.ts'
import { propertiesKey } from './queryKeys.ts'
import { request } from './request.ts'

const PropertiesSchema = z.array(FeatureFlagSchema)

/** Longer than a session takes to be known: the answer that was asked for beside it is used, not asked for again. */
const FRESH_FOR_MS = 10_000

const propertiesQuery = queryOptions({
  queryKey: propertiesKey,
  queryFn: ({ signal }) => request('/api/properties', { schema: PropertiesSchema, signal }),
  staleTime: FRESH_FOR_MS,
  // Nothing can be shown without it: even a refusal is asked about again.
  retry: (failures, error) => failures === 0 || isWorthRetrying(failures, error),
})

/** Asks already for what `FeatureFlagsProvider` is going to need. */
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
  /** The children wait until it is known; else nothing is switched off before. */
  isAwaited?: boolean
  loading: ReactNode
  failed: (error: unknown, retry: () => void) => ReactNode
}

const NOTHING_OFF: ReadonlySet<FeatureArea> = new Set()

/** Shows its children once it is known which areas exist here. */
export function FeatureFlagsProvider(props: FeatureFlagsProviderProps): ReactNode {
  const { children, isAwaited = true, loading, failed } = props
  const query = useQuery(propertiesQuery)
  const known = useMemo(() => (query.data ? toDisabledAreas(query.data) : null), [query.data])
  const areas = known ?? (isAwaited ? null : NOTHING_OFF)
  if (areas !== null) return <DisabledAreasContext value={areas}>{children}</DisabledAreasContext>
  if (query.isError) return failed(query.error, () => void query.refetch())
  return loading
}

/** Takes flags as they are now, however they came; what they switch follows on this page. */
export function useFollowFlags(flags: readonly FeatureFlag[] | null): void {
  const queryClient = useQueryClient()
  useEffect(() => {
    if (flags !== null) queryClient.setQueryData(propertiesQuery.queryKey, [...flags])
  }, [flags, queryClient])
}

/** Gives switches made elsewhere, for tests of single screens. */
export function FixedFeatureFlags({ areas, children }: { areas: ReadonlySet<FeatureArea>; children: ReactNode }) {
  return <DisabledAreasContext value={areas}>{children}</DisabledAreasContext>
}
