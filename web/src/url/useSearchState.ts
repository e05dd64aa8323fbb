import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { z } from 'zod'

import { type FlatSearch, parseSearch, stringifySearch } from './searchParams.ts'

export type SearchValue = string | number | boolean | readonly string[] | undefined

export interface SetSearchOptions {
  /** Replace the history entry: for typing. A choice pushes, so that Back undoes it. */
  replace?: boolean
}

/**
 * The part of the URL that a screen owns, read through its schema (`search.ts` of the feature).
 * Every key of the schema needs a default and a catch, so that a bad link costs that key only.
 *
 * @returns the parsed values, and a setter that merges: keys left out stay, defaults do not appear in the URL
 */
export function useSearchState<Shape extends Record<string, SearchValue>>(
  schema: z.ZodType<Shape>,
): [Shape, (patch: Partial<Shape>, options?: SetSearchOptions) => void] {
  const raw: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  // Equal URLs give the identical object, so that queries and tables below do not start over.
  const address = stringifySearch(raw)
  const search = useMemo(() => schema.parse(parseSearch(address)), [schema, address])

  const setSearch = useCallback(
    (patch: Partial<Shape>, options: SetSearchOptions = {}) => {
      void navigate({
        to: '.',
        search: (current: FlatSearch) => mergeSearch(current, patch, schema),
        replace: options.replace ?? false,
        resetScroll: false,
      })
    },
    [navigate, schema],
  )
  return [search, setSearch]
}

/** The URL after a change: values equal to the schema's defaults are dropped. */
export function mergeSearch<Shape extends Record<string, SearchValue>>(
  current: FlatSearch,
  patch: Partial<Shape>,
  schema: z.ZodType<Shape>,
): FlatSearch {
  const defaults = schema.parse({})
  const next: FlatSearch = { ...current }
  for (const [key, value] of Object.entries(patch) as [string, SearchValue][]) {
    const isDefault = stringifySearch({ value }) === stringifySearch({ value: defaults[key] })
    next[key] = isDefault || value === undefined ? undefined : toFlat(value)
  }
  return next
}

function toFlat(value: Exclude<SearchValue, undefined>): string | string[] {
  return Array.isArray(value) ? value.map(String) : String(value)
}
