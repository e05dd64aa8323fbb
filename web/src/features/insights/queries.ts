import { queryOptions } from '@tanstack/react-query'
import { type ConfigInsight, ConfigInsightSchema } from '@watchroom/shared/catalog'
import { z } from 'zod'

import { insightKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'

const COLUMNS = 'id,analysis_type,analyzer,severity,status,source,summary,message,first_observed,last_observed'
const ITEM = 'id,name,config_class,type'

export const insightTable = defineTable<ConfigInsight>({
  name: 'config_analysis_items',
  row: ConfigInsightSchema,
  select: `${COLUMNS},config:configs(${ITEM})`,
})

/** Insights of the items that are linked to a component: its filters, order and pages are the database's, too. */
export const componentInsightTable = defineTable<ConfigInsight>({
  name: 'rpc/lookup_analysis_by_component',
  row: ConfigInsightSchema,
  select: `${COLUMNS},config:configs!inner(${ITEM})`,
})

/** The same found by their links, with columns that a function's rows do not have: slower, where there are many insights. */
export const linkedInsightTable = defineTable<ConfigInsight>({
  name: 'config_analysis_items',
  row: ConfigInsightSchema,
  select: `${COLUMNS},config:configs!inner(${ITEM},links:config_component_relationships!inner(component_id))`,
})

const InsightDetailSchema = ConfigInsightSchema.extend({ analysis: z.unknown().optional() })
export type InsightDetail = z.infer<typeof InsightDetailSchema>

/** Everything known about one insight; null when it is gone. */
export const insightQuery = (id: string) =>
  queryOptions({
    queryKey: insightKeys.detail(id),
    queryFn: async ({ signal }) => {
      const path = `/api/db/config_analysis?select=${COLUMNS},analysis,config:configs(${ITEM})&id=eq.${encodeURIComponent(id)}`
      const [row] = await request(path, { schema: z.array(InsightDetailSchema), signal })
      return row ?? null
    },
  })

/** Analyzers that found something. */
export const analyzersQuery = queryOptions({
  queryKey: insightKeys.analyzers,
  queryFn: ({ signal }) =>
    request('/api/db/config_analysis_analyzers?order=analyzer.asc', {
      schema: z.array(z.object({ analyzer: z.string() })),
      signal,
    }),
})
