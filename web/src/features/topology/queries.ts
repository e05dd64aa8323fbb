import { queryOptions } from '@tanstack/react-query'
import {
  ComponentSchema,
  RecordedBurstsSchema,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type ShownComponent,
  type TopologyAnswer,
  TopologyAnswerSchema,
  toShownComponents,
} from '@watchroom/shared/topology'
import { z } from 'zod'

import { keepLesser } from '../../api/keepLesser.ts'
import { FRESH_MS } from '../../api/queryClient.ts'
import { topologyKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import type { Sorting, TopologySearch } from './search.ts'

const PATH = '/api/canary/api/topology'
const CHOICES_STALE_MS = 60_000

function read(params: Readonly<Record<string, string>>, signal?: AbortSignal): Promise<TopologyAnswer> {
  const query = new URLSearchParams({ noCache: 'true', depth: String(SHOWN_LEVELS), ...params })
  return request(`${PATH}?${query}`, { schema: TopologyAnswerSchema, signal })
}

const ofPage = (id: string): Record<string, string> => (id === '' ? {} : { id })

/** What came together below the cards of a page, on all levels, as it was recorded; null for those who are not told. */
export const burstsQuery = (id: string, isHiddenShown: boolean) =>
  queryOptions({
    queryKey: topologyKeys.bursts(id, isHiddenShown),
    queryFn: ({ signal }) =>
      request(
        `/gateway/topology-history/bursts?${new URLSearchParams({ ...ofPage(id), hidden: String(isHiddenShown) })}`,
        { schema: RecordedBurstsSchema, signal },
      ),
    retry: false,
    // A page hears only of what happens while it is open.
    staleTime: FRESH_MS.never,
  })

/** What a page shows by REST, for as long as the live link is down. */
export const fetchShown =
  (id: string) =>
  async (signal: AbortSignal): Promise<ShownComponent[]> => {
    const answer = await read({ ...ofPage(id), limit: String(SHOWN_CARDS) }, signal)
    return toShownComponents(id, answer)
  }

interface Choice {
  readonly search: TopologySearch
  readonly sorting: Sorting
  readonly isHiddenShown: boolean
  readonly limit: number
}

/** Components that the server chooses and orders; by type they come as a list of all levels. */
export const chosenQuery = (id: string, { search, sorting, isHiddenShown, limit }: Choice) => {
  const { type, team, labels, agent_id, status } = search
  const asked = {
    ...Object.fromEntries(Object.entries({ type, team, labels, agent_id, status }).filter(([, value]) => value !== '')),
    ...(type === '' ? {} : { flatten: 'true' }),
    ...(isHiddenShown ? {} : { hidden: 'false' }),
    sortBy: sorting.by,
    sortOrder: sorting.order,
  }
  const question = Object.entries(asked).flat()
  const queryKey = topologyKeys.chosen(id, question, limit)
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) => read({ ...ofPage(id), ...asked, limit: String(limit) }, signal),
    placeholderData: keepLesser(queryKey),
    // Asked again with every change of the page.
    staleTime: 0,
  })
}

/** The words that the filters offer. */
export const choicesQuery = (id: string) =>
  queryOptions({
    queryKey: topologyKeys.choices(id),
    queryFn: ({ signal }) => read({ ...ofPage(id), depth: '1', limit: '1' }, signal),
    staleTime: CHOICES_STALE_MS,
  })

const NameSchema = z.object({ id: z.string(), name: z.string(), path: z.string().nullish() })
export type ComponentName = z.infer<typeof NameSchema>

export const namesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: topologyKeys.names(ids),
    queryFn: ({ signal }) =>
      request(`/api/db/component_names_all?select=id,name,path&id=in.(${ids.join()})`, {
        schema: z.array(NameSchema),
        signal,
      }),
    enabled: ids.length > 0,
  })

/** The name of what a component refers to; null when it is gone. */
export const relatedNameQuery = (table: string, id: string) =>
  queryOptions({
    queryKey: topologyKeys.related(table, id),
    queryFn: async ({ signal }): Promise<string | null> => {
      const schema = z.array(z.object({ name: z.string().nullish() }))
      const [row] = await request(`/api/db/${table}?id=eq.${encodeURIComponent(id)}&select=name`, { schema, signal })
      return row?.name ?? null
    },
    staleTime: CHOICES_STALE_MS,
  })

/** A component that no page shows: because it was deleted, or never was. */
export const storedQuery = (id: string) =>
  queryOptions({
    queryKey: topologyKeys.stored(id),
    queryFn: async ({ signal }) => {
      const path = `/api/db/components?select=*&id=eq.${encodeURIComponent(id)}`
      const [row = null] = await request(path, { schema: z.array(ComponentSchema), signal })
      return row
    },
  })

const componentTable = defineTable({ name: 'components', row: z.object({ id: z.string() }), select: 'id' })

/** Whatever else became of it. @param isHidden from now on */
export const hideComponent = (id: string, isHidden: boolean): Promise<unknown> =>
  componentTable.update({ id }, { hidden: isHidden }, [])
