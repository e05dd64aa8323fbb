import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'

import type { CatalogOptions } from './catalogFilters.ts'
import { labelsQuery, statusesQuery, tagsQuery, typesQuery } from './queries.ts'

const NONE: readonly never[] = []

const texts = (values: readonly (string | null)[]): string[] => values.flatMap((value) => value ?? []).toSorted()

/**
 * The options of the filters. Until they are known, only what is chosen.
 *
 * @param isWanted until then nothing is requested: the database scans all items for it, which would delay the rows
 */
export function useCatalogOptions(isWanted: boolean): CatalogOptions {
  const types = useQuery({ ...typesQuery, enabled: isWanted }).data ?? NONE
  const statuses = useQuery({ ...statusesQuery, enabled: isWanted }).data ?? NONE
  const labels = useQuery({ ...labelsQuery, enabled: isWanted }).data ?? NONE
  const tags = useQuery({ ...tagsQuery, enabled: isWanted }).data ?? NONE
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
