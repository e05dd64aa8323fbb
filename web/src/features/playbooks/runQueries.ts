import { queryOptions } from '@tanstack/react-query'
import { REHEARSED_DAYS } from '@watchroom/shared/notifications'
import {
  type OutputChunk,
  OutputChunkSchema,
  PlaybookApprovalSchema,
  PlaybookRunActionSchema,
  type PlaybookRunPart,
  PlaybookRunSchema,
  PlaybookRunSummarySchema,
  type StepFile,
  StepFileSchema,
} from '@watchroom/shared/playbooks'
import { toComponentHealth } from '@watchroom/shared/topology'
import { PastDiffSchema, PastTransitionsSchema } from '@watchroom/shared/topology/history'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { playbookKeys } from '../../api/queryKeys.ts'
import { request, RequestError } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import { parseMoment } from '../../ui/formatTime.ts'
import type { HealthMark } from './impact.ts'
import type { PlaybookTarget } from './queries.ts'

const encode = encodeURIComponent

const RELATED =
  'created_by(id,name,avatar),component:components(id,name,icon),config:config_items(id,name,type,config_class),check:checks(id,name,icon)'

/** Runs as lists show them. */
export const runTable = defineTable({
  name: 'playbook_runs',
  row: PlaybookRunSummarySchema,
  select: `*,playbooks(id,name,title,icon),${RELATED},failed:playbook_run_actions(name,error)`,
  // Of each run the step that failed last.
  filter: 'failed.status=eq.failed&failed.order=id.desc&failed.limit=1',
})

/** How often a run is read while there is no socket (second specification, section 4). */
export const RUN_POLL_MS = 2_000
/** The same for what a step prints. */
export const OUTPUT_POLL_MS = 1_000

/** One run by REST, while the live link is down. */
export async function fetchRunParts(id: string, signal: AbortSignal): Promise<PlaybookRunPart[]> {
  const run = encode(id)
  const [runs, actions, approvals] = await Promise.all([
    request(`/api/db/playbook_runs?id=eq.${run}&select=*,playbooks(id,name,title,icon,spec),${RELATED}`, {
      schema: z.array(PlaybookRunSchema),
      signal,
    }),
    request(
      `/api/db/playbook_run_actions?select=id,name,status,start_time,end_time,scheduled_time,error,agent_id&order=start_time.asc&playbook_run_id=eq.${run}`,
      { schema: z.array(PlaybookRunActionSchema), signal },
    ),
    request(`/api/db/playbook_approvals?run_id=eq.${run}&select=*,person:person_id(id,name,avatar)`, {
      schema: z.array(z.unknown()),
      signal,
    }),
  ])
  return [
    ...runs.map((row) => ({ ...row, kind: 'run' as const })),
    ...actions.map((row) => ({ ...row, kind: 'action' as const })),
    // Approvals of other backends may have no id: they count for nothing here.
    ...approvals.flatMap((row) => {
      const { success, data } = PlaybookApprovalSchema.safeParse(row)
      return success ? [{ ...data, kind: 'approval' as const }] : []
    }),
  ]
}

/** Pieces of what a step printed, in order; of the newest alone, the newest first. */
export const readOutput = (
  actionId: string,
  { from, before, limit, isNewest = false }: { from: number; before?: number; limit: number; isNewest?: boolean },
  signal: AbortSignal,
): Promise<OutputChunk[]> =>
  request(
    `/api/db/playbook_run_outputs?action_id=eq.${encode(actionId)}&select=seq,at,stream,text&seq=gte.${from}${before === undefined ? '' : `&seq=lt.${before}`}&order=seq.${isNewest ? 'desc' : 'asc'}&limit=${limit}`,
    { schema: z.array(OutputChunkSchema), signal },
  )

const StepResultSchema = z.object({ result: z.unknown(), status: z.string() })

const HealthSchema = z.string().nullish().transform(toComponentHealth)
const CONFIG_HEALTH_EVENTS = ['config.healthy', 'config.unhealthy', 'config.warning', 'config.unknown'] as const

const CheckResultsSchema = z.array(z.object({ time: z.string(), status: z.boolean() }))
/** More than a check produces during any run that someone watches. */
const MAX_RESULTS = 1_000

/** The health of a run's target since a moment, oldest first. @param now for what is asked until now */
export const healthQuery = ({ kind, id }: PlaybookTarget, from: number, now: () => number) =>
  queryOptions({
    queryKey: playbookKeys.health(kind, id, from),
    queryFn: ({ signal }): Promise<HealthMark[]> => {
      if (kind === 'check') return readCheckHealth(id, from, signal)
      return kind === 'config'
        ? readConfigHealth(id, from, signal)
        : readComponentHealth(id, { from, to: now() }, signal)
    },
    staleTime: FRESH_MS.never,
  })

async function readCheckHealth(id: string, from: number, signal: AbortSignal): Promise<HealthMark[]> {
  const since = new Date(from).toISOString()
  const path = `/api/db/check_statuses?check_id=eq.${encode(id)}&time=gte.${since}&select=time,status&order=time.asc&limit=${MAX_RESULTS}`
  const rows = await request(path, { schema: CheckResultsSchema, signal })
  return rows.map(({ time, status }) => ({ at: parseMoment(time), health: status ? 'healthy' : 'unhealthy' }))
}

/** How far back the history of catalog items goes. */
export const CONFIG_HEALTH_MS = REHEARSED_DAYS * 86_400_000

const HealthEventsSchema = z.array(
  z
    .object({ event: z.enum(CONFIG_HEALTH_EVENTS), happened_at: z.string() })
    .transform(({ event, happened_at: at }) => ({
      at: parseMoment(at),
      health: HealthSchema.parse(event.slice('config.'.length)),
    })),
)
const HappenedSchema = z.array(z.object({ happened_at: z.string() }))
const ItemHealthSchema = z.array(z.object({ health: HealthSchema }))

/** Derived from its events. If there are none although earlier ones are kept, the health did not change. After a storm of events, fewer are kept. */
async function readConfigHealth(id: string, from: number, signal: AbortSignal): Promise<HealthMark[]> {
  const since = new Date(from).toISOString()
  const about = `resource_id=eq.${encode(id)}&event=in.(${CONFIG_HEALTH_EVENTS.join()})`
  const path = `/api/db/notification_transitions?select=event,happened_at&${about}`
  const [before, after, item, oldest] = await Promise.all([
    request(`${path}&happened_at=lt.${since}&order=happened_at.desc&limit=1`, { schema: HealthEventsSchema, signal }),
    request(`${path}&happened_at=gte.${since}&order=happened_at.asc&limit=${MAX_RESULTS}`, {
      schema: HealthEventsSchema,
      signal,
    }),
    request(`/api/db/config_items?id=eq.${encode(id)}&select=health`, { schema: ItemHealthSchema, signal }),
    request('/api/db/notification_transitions?select=happened_at&order=happened_at.asc&limit=1', {
      schema: HappenedSchema,
      signal,
    }),
  ])
  const isKept = oldest[0] === undefined || parseMoment(oldest[0].happened_at) < from
  const first = before[0] ?? (after.length === 0 && isKept ? item[0] : undefined)
  return [...(first ? [{ at: from, health: first.health }] : []), ...after]
}

/** The health at the start, and its changes. */
async function readComponentHealth(
  id: string,
  range: { readonly from: number; readonly to: number },
  signal: AbortSignal,
): Promise<HealthMark[]> {
  const [from, to] = [range.from, range.to].map((at) => new Date(at).toISOString())
  const asked = new URLSearchParams({ id, from: from ?? '', to: to ?? '' }).toString()
  const [{ components }, { transitions }] = await Promise.all([
    request(`/gateway/topology-history/diff?${asked}`, { schema: PastDiffSchema, signal }),
    request(`/gateway/topology-history/transitions?${asked}&order=asc`, { schema: PastTransitionsSchema, signal }),
  ])
  // A component's page tells of what is below it, too.
  const first = components?.find((component) => component.id === id)?.from
  return [
    ...(first ? [{ at: range.from, health: first.health }] : []),
    ...transitions
      .filter((transition) => transition.id === id)
      .map(({ at, to: became }) => ({ at, health: became?.health ?? ('unknown' as const) })),
  ]
}

/** What a step left behind. @param status asked for again when it is another one */
export const stepResultQuery = (actionId: string, status: string) =>
  queryOptions({
    queryKey: playbookKeys.result(actionId, status),
    queryFn: async ({ signal }) => {
      const path = `/api/db/playbook_run_actions?id=eq.${encode(actionId)}&select=*`
      return (await request(path, { schema: z.array(StepResultSchema), signal }))[0] ?? null
    },
    staleTime: FRESH_MS.never,
  })

// Whoever is not shown the run is not shown what it left.
const FILES = 'id,filename,size,playbook_run_actions!inner(playbook_runs!inner(id))'

/** Files that a step left. */
export const stepFilesQuery = (actionId: string) =>
  queryOptions({
    queryKey: playbookKeys.files(actionId),
    queryFn: ({ signal }): Promise<StepFile[]> =>
      request(
        `/api/db/artifacts?playbook_run_action_id=eq.${encode(actionId)}&deleted_at=is.null&select=${encode(FILES)}&order=path`,
        { schema: z.array(StepFileSchema), signal },
      ),
    staleTime: FRESH_MS.never,
  })

export const stepFilePath = ({ id }: StepFile): string => `/api/artifacts/download/${encode(id)}`

const post = (path: string): Promise<unknown> => request(path, { method: 'POST', body: {}, schema: z.unknown() })

export const cancelRun = (id: string): Promise<unknown> => post(`/api/playbook/run/cancel/${encode(id)}`)
export const retryRun = (id: string): Promise<unknown> => post(`/api/playbook/run/retry/${encode(id)}`)
export const confirmStep = (actionId: string): Promise<unknown> => post(`/api/playbook/run/confirm/${encode(actionId)}`)
/** Servers from before September 2024 have the path with both ids alone, later ones the path with that of the run. */
export async function approveRun(playbookId: string, id: string): Promise<unknown> {
  try {
    return await post(`/api/playbook/run/approve/${encode(id)}`)
  } catch (error) {
    const isThere =
      !(error instanceof RequestError) || (error.status !== 405 && error.details.code !== 'PROXY_NOT_OFFERED')
    if (isThere) throw error
    return post(`/api/playbook/run/approve/${encode(playbookId)}/${encode(id)}`)
  }
}
