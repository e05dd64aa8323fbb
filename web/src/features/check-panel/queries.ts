import { keepPreviousData, mutationOptions, queryOptions } from '@tanstack/react-query'
import {
  CheckRunResultSchema,
  CheckStatusSchema,
  type CheckSummary,
  CheckSummarySchema,
} from '@watchroom/shared/health'
import type { TimeRange, Zone } from '@watchroom/shared/time'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { checkKeys } from '../../api/queryKeys.ts'
import { request, requestPage } from '../../api/request.ts'
import { tryParseDurationFilter } from './durationFilter.ts'
import { CheckGraphSchema, MAX_GRAPH_POINTS, toCheckGraph } from './graph.ts'
import { toPanelWindow, toRangeId } from './panelRange.ts'
import type { PanelSearch } from './search.ts'

const RelatedComponentSchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  icon: z.string().nullish(),
})
const RelatedConfigSchema = z.object({ id: z.string(), name: z.string().nullish(), type: z.string().nullish() })

const CheckDetailSchema = z.object({
  id: z.string(),
  canary_id: z.string(),
  agent_id: z.string().nullish(),
  name: z.string().catch(''),
  namespace: z.string().nullish(),
  type: z.string().catch(''),
  description: z.string().nullish(),
  icon: z.string().nullish(),
  severity: z.string().nullish(),
  status: z.string().nullish(),
  spec: z.unknown(),
  labels: z.record(z.string(), z.string()).nullish().catch(null),
  last_runtime: z.string().nullish(),
  next_runtime: z.string().nullish(),
  last_transition_time: z.string().nullish(),
  deleted_at: z.string().nullish(),
  silenced_at: z.string().nullish(),
  canaries: z
    .object({
      id: z.string(),
      name: z.string().nullish(),
      source: z.string().nullish(),
      labels: z.record(z.string(), z.string()).nullish().catch(null),
    })
    .nullish(),
  agents: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  components: z.array(z.object({ components: RelatedComponentSchema.nullish() })).nullish(),
  configs: z.array(z.object({ configs: RelatedConfigSchema.nullish() })).nullish(),
})
export type CheckDetail = z.infer<typeof CheckDetailSchema>

const DETAIL_SELECT = [
  '*',
  'canaries!checks_canary_id_fkey(id,name,source,labels)',
  'agents!checks_agent_id_fkey(id,name)',
  'components:check_component_relationships(components(id,name,icon))',
  'configs:check_config_relationships(configs(id,name,type))',
].join(',')

/** What the row of the board does not contain. `null` when there is no such check. */
export const checkDetailQuery = (checkId: string) =>
  queryOptions({
    queryKey: checkKeys.detail(checkId),
    queryFn: async ({ signal }): Promise<CheckDetail | null> => {
      // A relationship that ended stays as a row, for the history of the catalog.
      const path =
        `/api/db/checks?id=eq.${encodeURIComponent(checkId)}&select=${encodeURIComponent(DETAIL_SELECT)}` +
        '&components.deleted_at=is.null&configs.deleted_at=is.null'
      const rows = await request(path, { schema: z.array(CheckDetailSchema), signal })
      return rows[0] ?? null
    },
  })

/** A check that is not on the board, as a row of the board: deleted checks are shown like others, but without actions. */
export function toBoardRow(detail: CheckDetail): CheckSummary {
  return CheckSummarySchema.parse({
    ...detail,
    canary_name: detail.canaries?.name ?? '',
    // As on the board: the labels of the canary are those of its checks.
    labels: { ...detail.canaries?.labels, ...detail.labels },
    uptime: {},
    latency: {},
  })
}

export interface Related {
  readonly kind: 'component' | 'config'
  readonly name: string
  readonly type: string | null
  readonly href: string
}

/** What the check is related to, without what is deleted or hidden from the reader. */
export function toRelated({ components, configs }: CheckDetail): Related[] {
  return [
    ...(components ?? []).flatMap(({ components: component }): Related[] =>
      component
        ? [{ kind: 'component', name: component.name || component.id, type: null, href: `/topology/${component.id}` }]
        : [],
    ),
    ...(configs ?? []).flatMap(({ configs: config }): Related[] =>
      config
        ? [
            {
              kind: 'config',
              name: config.name || config.id,
              type: config.type ?? null,
              href: `/catalog/${config.id}`,
            },
          ]
        : [],
    ),
  ]
}

const CanarySchema = z.object({
  id: z.string(),
  name: z.string().nullish(),
  namespace: z.string().nullish(),
  source: z.string().nullish(),
  spec: z.unknown(),
})

/** The canary that a check comes from. `null` when it is gone. */
export const canarySpecQuery = (canaryId: string) =>
  queryOptions({
    queryKey: checkKeys.canary(canaryId),
    queryFn: async ({ signal }) => {
      const path = `/api/db/canaries?id=eq.${encodeURIComponent(canaryId)}&select=id,source,spec,name,namespace`
      const rows = await request(path, { schema: z.array(CanarySchema), signal })
      return rows[0] ?? null
    },
  })

const statusesPath = (checkId: string): string =>
  `/api/db/check_statuses?check_id=eq.${encodeURIComponent(checkId)}&order=time.desc`

/** The latest result, regardless of the chosen range and filters. `null` when the check never ran. */
export const latestResultQuery = (checkId: string) =>
  queryOptions({
    queryKey: checkKeys.latest(checkId),
    queryFn: async ({ signal }) => {
      const rows = await request(`${statusesPath(checkId)}&limit=1`, { schema: z.array(CheckStatusSchema), signal })
      return rows[0] ?? null
    },
    staleTime: FRESH_MS.checkHistory,
  })

/** The server's clock, read at the time of the request, and the zone in which days and weeks count. */
export interface RangeClock {
  now: () => number
  zone: Zone
}

/** Uptime, latency and the points of the chart, for a time range. */
export const checkGraphQuery = (checkId: string, range: TimeRange, clock: RangeClock) =>
  queryOptions({
    queryKey: checkKeys.graph(checkId, `${toRangeId(range)} ${clock.zone}`),
    queryFn: async ({ signal }) => {
      const { from, to, graphQuery } = toPanelWindow(range, { now: clock.now(), zone: clock.zone })
      const path = `/api/canary/api/graph?check=${encodeURIComponent(checkId)}&count=${MAX_GRAPH_POINTS}&${graphQuery}`
      const answer = await request(path, { schema: CheckGraphSchema, signal })
      return { ...toCheckGraph(answer, { from, to }), from, to }
    },
    staleTime: FRESH_MS.checkHistory,
    // The old curve stays until the new one is there: nothing jumps.
    placeholderData: keepPreviousData,
  })
export type CheckGraphAnswer = Awaited<ReturnType<NonNullable<ReturnType<typeof checkGraphQuery>['queryFn']>>>

export interface HistoryAsk extends Pick<PanelSearch, 'status' | 'minDuration' | 'pageIndex' | 'pageSize'> {
  range: TimeRange
  /** The newest result to include: later pages must not shift while new results arrive. */
  until: string | undefined
}

/** One page of the results of a check, newest first, with the number of all that match. */
export const checkHistoryQuery = (checkId: string, ask: HistoryAsk, clock: RangeClock) =>
  queryOptions({
    queryKey: checkKeys.history(checkId, { ...ask, range: toRangeId(ask.range), zone: clock.zone }),
    queryFn: ({ signal }) => {
      const { from, to, endsNow } = toPanelWindow(ask.range, { now: clock.now(), zone: clock.zone })
      const until = ask.until ?? (endsNow ? undefined : new Date(to).toISOString())
      const least = ask.minDuration === undefined ? null : tryParseDurationFilter(ask.minDuration)
      const path = [
        statusesPath(checkId),
        `time=gt.${encodeURIComponent(new Date(from).toISOString())}`,
        ...(until === undefined ? [] : [`time=lte.${encodeURIComponent(until)}`]),
        // First specification, section 5: 1 and 0 on the wire.
        ...(ask.status === 'all' ? [] : [`status=eq.${ask.status === 'healthy' ? 1 : 0}`]),
        ...(least?.ok ? [`duration=gte.${least.value}`] : []),
        `limit=${ask.pageSize}`,
        `offset=${ask.pageIndex * ask.pageSize}`,
      ].join('&')
      return requestPage(path, { schema: CheckStatusSchema, signal })
    },
    staleTime: FRESH_MS.checkHistory,
    placeholderData: keepPreviousData,
  })

/** A check may take as long as its own deadline allows; the gateway ends it before this. */
const RUN_TIMEOUT_MS = 150_000

export const runCheckMutation = (checkId: string) =>
  mutationOptions({
    mutationKey: checkKeys.run(checkId),
    mutationFn: () =>
      request(`/api/canary/run/check/${encodeURIComponent(checkId)}`, {
        method: 'POST',
        // The call takes nothing, but an empty body that calls itself JSON is refused.
        body: {},
        // The answer is empty when the run produced nothing.
        schema: CheckRunResultSchema.optional().transform((result) => result ?? null),
        timeoutMs: RUN_TIMEOUT_MS,
      }),
  })
