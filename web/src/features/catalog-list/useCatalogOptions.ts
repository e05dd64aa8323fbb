import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { CatalogOptions } from './catalogFilters.ts'
import { labelsQuery, statusesQuery, tagsQuery, typesQuery } from './queries.ts'

const NONE: readonly never[] = []

const texts = (values: readonly (string | null)[]): string[] => values.flatMap((value) => value ?? []).toSorted()

/** What the filters offer. Before it is known they offer what is chosen. */
export function useCatalogOptions(): CatalogOptions {
  const types = useQuery(typesQuery).data ?? NONE
  const statuses = useQuery(statusesQuery).data ?? NONE
  const labels = useQuery(labelsQuery).data ?? NONE
  const tags = useQuery(tagsQuery).data ?? NONE
  return useMemo(
    () => ({
      types: texts(types.map(({ type }) => type)),
      statuses: texts(statuses.map(({ status }) => status)),
      labels,
      tags,
    }),
    [types, statuses, labels, tags],
  )
}
