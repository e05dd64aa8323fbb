import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  CONFIG_DETAIL_SELECT,
  type ConfigDetail,
  ConfigContentSchema,
  ConfigDetailSchema,
  ConfigNameSchema,
  ConfigSchema,
} from '@watchroom/shared/catalog'
import { CheckBoardRowSchema } from '@watchroom/shared/health'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { configItemKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { textFilter } from '../../api/tables.ts'

const text = z.string().nullish().catch(null)
const encode = encodeURIComponent

/** An item without its content, as rows: none when there is none. */
export const fetchConfigItem = (id: string, signal: AbortSignal): Promise<ConfigDetail[]> =>
  request(`/api/db/config_detail?id=eq.${encode(id)}&select=${CONFIG_DETAIL_SELECT}`, {
    schema: z.array(ConfigDetailSchema),
    signal,
  })

/** An item without its content: null when there is none. */
export const configItemQuery = (id: string) =>
  queryOptions({
    queryKey: configItemKeys.detail(id),
    queryFn: async ({ signal }): Promise<ConfigDetail | null> => (await fetchConfigItem(id, signal))[0] ?? null,
  })

/** What the item holds. What was read stays in sight until a newer one is there. */
export const configContentQuery = ({ id, updated_at: updatedAt }: Pick<ConfigDetail, 'id' | 'updated_at'>) =>
  queryOptions({
    queryKey: configItemKeys.content(id, updatedAt),
    queryFn: async ({ signal }): Promise<unknown> => {
      const path = `/api/db/config_items?id=eq.${encode(id)}&select=id,config`
      const rows = await request(path, { schema: z.array(ConfigContentSchema), signal })
      return rows[0]?.config ?? null
    },
    placeholderData: keepPreviousData,
  })

const NamedConfigSchema = ConfigNameSchema.extend({ agent: ConfigSchema.shape.agent })
export type NamedConfig = z.infer<typeof NamedConfigSchema>

/** Names of items and of the agents that found them, in the order of the ids. */
export const configNamesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: configItemKeys.names(ids),
    queryFn: async ({ signal }): Promise<NamedConfig[]> => {
      const path = `/api/db/configs?id=in.(${ids.join()})&select=id,name,config_class,type,agent:agents(id,name)`
      const rows = await request(path, { schema: z.array(NamedConfigSchema), signal })
      return rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
    },
  })

const LinkedComponentSchema = z.object({
  component_id: z.string(),
  selector_id: text,
  components: z.object({ id: z.string(), name: text, icon: text }).nullish().catch(null),
})
export type LinkedComponent = z.infer<typeof LinkedComponentSchema>

/** Components that the item belongs to. */
export const linkedComponentsQuery = (id: string) =>
  queryOptions({
    queryKey: configItemKeys.components(id),
    queryFn: ({ signal }) => {
      const embed = 'components!config_component_relationships_component_id_fkey(id,icon,name)'
      const path = `/api/db/config_component_relationships?config_id=eq.${encode(id)}&deleted_at=is.null&select=component_id,selector_id,${embed}`
      return request(path, { schema: z.array(LinkedComponentSchema), signal })
    },
    staleTime: FRESH_MS.never,
  })

/** What a search offers at most; more are found by one more letter. */
const MAX_MATCHES = 50

export const componentSearchQuery = (search: string) =>
  queryOptions({
    queryKey: configItemKeys.componentSearch(search),
    queryFn: ({ signal }) => {
      const filter = textFilter('name', search).map((part) => `&${part}`)
      const path = `/api/db/components?select=id,name,type&deleted_at=is.null&order=name.asc&limit=${MAX_MATCHES}${filter.join('')}`
      return request(path, { schema: z.array(z.object({ id: z.string(), name: text, type: text })), signal })
    },
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })

const CheckOfConfigSchema = z.object({
  id: z.string(),
  name: text,
  type: text,
  severity: text,
  status: text,
  last_runtime: text,
  /** Over the last hour. */
  uptime: CheckBoardRowSchema.shape.uptime.nullish().catch(null),
  latency: CheckBoardRowSchema.shape.latency.nullish().catch(null),
})
export type CheckOfConfig = z.infer<typeof CheckOfConfigSchema>

/** Checks of the item with how they did, failing ones first: `unhealthy` stands after `healthy` in the alphabet. */
export const configChecksQuery = (id: string) =>
  queryOptions({
    queryKey: configItemKeys.checks(id),
    queryFn: ({ signal }) => {
      const path = `/api/db/check_summary_for_config?config_id=eq.${encode(id)}&select=id,name,type,severity,status,last_runtime,uptime,latency&order=status.desc.nullslast,name.asc`
      return request(path, { schema: z.array(CheckOfConfigSchema), signal })
    },
    staleTime: FRESH_MS.never,
  })
