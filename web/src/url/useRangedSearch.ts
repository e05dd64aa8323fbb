import { useNavigate } from '@tanstack/react-router'
import type { TimeRange } from '@watchroom/shared/time'
import type { z } from 'zod'

import type { FlatSearch } from './searchParams.ts'
import { writeTimeRange } from './timeRangeSearch.ts'
import { mergeSearch, type SearchValue, useSearchState } from './useSearchState.ts'
import { useTimeRange } from './useTimeRange.ts'

interface RangedSearchOptions<Shape> {
  /** Used when the URL names none. */
  readonly defaultRange: TimeRange
  /** The default filters. */
  readonly filters: Partial<Shape>
  /** Goes back to the first page when the range changes. */
  readonly firstPage: Partial<Shape>
}

/** Filters and the time range of a list, from the URL. `onReset` is null while all of them are at their defaults. */
export function useRangedSearch<Shape extends Record<string, SearchValue>>(
  schema: z.ZodType<Shape>,
  { defaultRange, filters, firstPage }: RangedSearchOptions<Shape>,
) {
  const [search, setSearch] = useSearchState(schema)
  const [chosen] = useTimeRange()
  const navigate = useNavigate()
  const setRange = (range: TimeRange | undefined, patch: Partial<Shape> = {}): void =>
    void navigate({
      to: '.',
      search: (current: FlatSearch) => writeTimeRange(mergeSearch(current, { ...patch, ...firstPage }, schema), range),
      resetScroll: false,
    })
  const isChanged = chosen !== undefined || Object.entries(filters).some(([key, value]) => search[key] !== value)
  return {
    search,
    setSearch,
    range: chosen ?? defaultRange,
    setRange,
    onReset: isChanged ? () => setRange(undefined, filters) : null,
  }
}
