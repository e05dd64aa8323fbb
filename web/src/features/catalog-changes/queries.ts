import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type ConfigChangeDetail,
  ConfigChangeDetailSchema,
  ConfigChangesSchema,
  ConfigContentSchema,
  ConfigNameSchema,
} from '@watchroom/shared/catalog'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { configChangeKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import type { ChangesAsk } from './search.ts'

/** One page of changes with the number of all that match. The previous page stays until this one has loaded. */
export const changesQuery = (ask: ChangesAsk) =>
  queryOptions({
    queryKey: configChangeKeys.list(ask),
    queryFn: ({ signal }) =>
      request('/api/catalog/changes', { method: 'POST', body: ask, schema: ConfigChangesSchema, signal }),
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })

const DETAIL_SELECT = [
  ...Object.keys(ConfigChangeDetailSchema.shape).filter((key) => key !== 'config'),
  'config:configs(id,name,type,config_class)',
].join()

/** One change with everything known about it; null when it is gone. */
export const changeQuery = (id: string) =>
  queryOptions({
    queryKey: configChangeKeys.one(id),
    queryFn: async ({ signal }): Promise<ConfigChangeDetail | null> => {
      const path = `/api/db/config_changes?id=eq.${id}&select=${encodeURIComponent(DETAIL_SELECT)}`
      return (await request(path, { schema: z.array(ConfigChangeDetailSchema), signal }))[0] ?? null
    },
  })

/** More would be too many to choose from; other values can be chosen from a row. */
const MAX_OPTIONS = 500

const optionsQuery = <Row>(view: string, order: string, row: z.ZodType<Row>, toValue: (row: Row) => string | null) =>
  queryOptions({
    queryKey: configChangeKeys.options(view),
    queryFn: async ({ signal }) => {
      const rows = await request(`/api/db/${view}?order=${order}&limit=${MAX_OPTIONS}`, {
        schema: z.array(row),
        signal,
      })
      return rows.flatMap((each) => toValue(each) ?? [])
    },
  })

const text = z.string().nullable()

export const changeTypesQuery = optionsQuery(
  'change_types',
  'change_type.asc',
  z.object({ change_type: text }),
  ({ change_type }) => change_type,
)

export const configTypesQuery = optionsQuery('config_types', 'type.asc', z.object({ type: text }), ({ type }) => type)

export const configTagsQuery = optionsQuery(
  'config_tags',
  'key.asc,value.asc',
  z.object({ key: z.string(), value: text }),
  ({ key, value }) => (value === null ? null : `${key}:${value}`),
)

/** Names of the items that a link filters by. */
export const configNamesQuery = (ids: readonly string[]) =>
  queryOptions({
    queryKey: configChangeKeys.names(ids),
    queryFn: ({ signal }) =>
      request(`/api/db/configs?id=in.(${ids.map((id) => `"${id}"`).join()})&select=id,name,config_class,type`, {
        schema: z.array(ConfigNameSchema),
        signal,
      }),
    enabled: ids.length > 0,
  })

const VersionChangeSchema = ConfigChangeDetailSchema.pick({
  id: true,
  change_type: true,
  summary: true,
  created_by: true,
  external_created_by: true,
}).extend({ created_at: z.string(), diff: z.string() })
export type VersionChange = z.infer<typeof VersionChangeSchema>

const VERSION_SELECT = Object.keys(VersionChangeSchema.shape).join()

/** What an item is now, and its newest changes that say what they changed. Null when the item is gone. */
export const historyQuery = (configId: string, limit: number) =>
  queryOptions({
    queryKey: configChangeKeys.history(configId, limit),
    queryFn: async ({ signal }) => {
      const ask = <Row>(path: string, row: z.ZodType<Row>) =>
        request(`/api/db/${path}`, { schema: z.array(row), signal })
      const item = encodeURIComponent(configId)
      const [[now], page] = await Promise.all([
        ask(`config_detail?id=eq.${item}&select=id,config`, ConfigContentSchema),
        ask(
          `config_changes?config_id=eq.${item}&diff=neq.&select=${VERSION_SELECT}&order=created_at.desc,id.desc&limit=${limit}`,
          VersionChangeSchema,
        ),
      ])
      return now === undefined ? null : { config: now.config, changes: page, isWhole: page.length < limit }
    },
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })
